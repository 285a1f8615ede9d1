/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs of a command that is recorded and that do not find the directory of the recording: those
 * in a chroot, for instance. They come to a gate (target/started.h), and hand their rings over.
 */
#ifndef SDT_RECORD_GATE_H
#define SDT_RECORD_GATE_H

#include "command.h"

/* Make the gate, whose other end is returned; -1: there is none. */
int gate_make(struct record *record);
/* In the child that becomes the command: tell it of the other END. */
void gate_tell(int end);
/* Ask those that have come to record, and keep the sessions with them alive. */
void gate_look(struct record *record);
void gate_close(struct record *record);

#endif
