/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_LAUNCH_COMPILE_H
#define SDTLINK_LAUNCH_COMPILE_H

#include "command.h"
#include "launcher_options.h"

/* --at-compile: run a command that writes objects, and process them. Returns the exit status. */
int compile_and_process(const struct launch *launch, const struct command *command, char **argv);
/*
 * Run ARGV (PROGRAM if not NULL), then process those of the objects OUTPUTS that hold probes, in
 * place. If that fails, they are removed. Returns the exit status.
 */
int compile_run(const struct launch *launch, const char *program, char **argv,
                const struct words *outputs);

#endif
