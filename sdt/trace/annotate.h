/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The user's descriptions of fields after they were recorded (sdt-describe(5)): names, units,
 * enumerators, and those types for which the recording has the values.
 */
#ifndef SDT_ANNOTATE_H
#define SDT_ANNOTATE_H

#include "trace.h"

/* Apply the descriptions in file PATH to RECORDING; PATH is NULL: there are none. 0, or -1 after a
 * message. */
int annotate_recording(struct recording *recording, const char *path);

#endif
