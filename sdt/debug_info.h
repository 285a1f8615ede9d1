/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the debug information of the recorded programs and libraries says of fields: names of the
 * values of enumerations, where the program itself has given none. Only if the file is there still,
 * and is the one that was recorded, by its build ID.
 */
#ifndef SDT_DEBUG_INFO_H
#define SDT_DEBUG_INFO_H

#include "trace.h"

/* Before annotate_recording(): what a user says goes for more. What was found is kept until the
 * tool ends, so that sdt trace reads a file once. Always 0. */
int debug_info_annotate(struct recording *recording);

#endif
