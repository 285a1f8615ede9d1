/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_LAUNCH_COMPILE_H
#define SDTLINK_LAUNCH_COMPILE_H

#include "command.h"
#include "launcher_options.h"

/* --at-compile: run a command that writes objects, and process them. Returns the exit status. */
int compile_and_process(const struct launcher_options *launch, const struct command *command,
                        char **argv);

#endif
