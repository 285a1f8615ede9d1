/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of enumeration values from the debug information of a running process's files, for
 * arguments to which the program gives none: as sdt report finds them (trace/debug_info.h).
 */
#ifndef SDT_LIVE_ENUMS_H
#define SDT_LIVE_ENUMS_H

#include "target/live_sites.h"

/*
 * Add them to the arguments of SITES. The sites of a probe are asked about together: an argument
 * has names only if all of them pass the same enumeration. What was found is kept until the tool
 * ends.
 */
void live_enums_add(struct attached *process, struct live_sites *sites);

#endif
