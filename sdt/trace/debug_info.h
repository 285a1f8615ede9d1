/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of enumeration values from the debug information of the recorded programs and libraries,
 * for fields to which the program itself gives no names. Only if the file still exists and its
 * build ID is the recorded one.
 */
#ifndef SDT_DEBUG_INFO_H
#define SDT_DEBUG_INFO_H

#include "trace.h"

/* To be called before annotate_recording(): the user's descriptions take precedence. What was found
 * is kept until the tool ends, so that sdt trace reads a file once. Always 0. */
int debug_info_annotate(struct recording *recording);

#endif
