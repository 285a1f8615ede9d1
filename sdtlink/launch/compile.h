/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_LAUNCH_COMPILE_H
#define SDTLINK_LAUNCH_COMPILE_H

#include "command.h"
#include "launch.h"

/* --at-compile: run a command that writes objects, and process them. Returns the exit status. */
int compile_and_process(const struct command *command, char **argv);
/* Process object PATH in place; what cannot be processed is removed. Returns the exit status. */
int compile_process_object(const char *path);

#endif
