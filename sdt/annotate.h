/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The user's descriptions of fields after they were recorded (sdt-describe(5)): names, units,
 * enumerators, and those types for which the recording has the values.
 */
#ifndef SDT_ANNOTATE_H
#define SDT_ANNOTATE_H

#include "trace.h"

/* Have RECORDING as file PATH describes it; NULL: nothing is described. 0, or -1 after saying why.
 */
int annotate_recording(struct recording *recording, const char *path);

#endif
