/* SPDX-License-Identifier: BSD-2-Clause */
/* Run a command, then process the objects that it has written, in place: compilers and ld -r. */
#ifndef SDTLINK_LAUNCH_IN_PLACE_H
#define SDTLINK_LAUNCH_IN_PLACE_H

#include "launcher_options.h"

/*
 * Run ARGV (PROGRAM if not NULL), then process those of the objects OUTPUTS that hold probes. If
 * that fails, they are removed. Returns the exit status.
 */
int in_place_run(const struct launcher_options *launch, const char *program, char **argv,
                 const struct words *outputs);

#endif
