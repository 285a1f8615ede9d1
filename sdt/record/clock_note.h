/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How wrong the wall clock is at most, as the kernel knows it: `sdt record` notes it when it begins
 * and when it ends (trace/machines.h reads it). Not the program: adjtimex() is a call that the
 * filters of services forbid.
 */
#ifndef SDT_CLOCK_NOTE_H
#define SDT_CLOCK_NOTE_H

#include <stdbool.h>

/* Add a line to the recording DIRECTORY: whether it is the first. What cannot be written is not
 * known later. */
bool clock_note(int directory);

#endif
