/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the user says of fields after they were recorded: names, units, enumerators, and types, as
 * far as the recording has their values (sdt-describe(5)).
 */
#ifndef SDT_ANNOTATE_H
#define SDT_ANNOTATE_H

#include "trace.h"

/* Have RECORDING as file PATH describes it; NULL: nothing is described. 0, or -1 after saying why.
 */
int annotate_recording(struct recording *recording, const char *path);

#endif
