/* SPDX-License-Identifier: BSD-2-Clause */
/* `sdtlink --functions CC ARG...`: what the compiler is told, so that functions have probes. */
#ifndef SDTLINK_LAUNCH_FUNCTIONS_H
#define SDTLINK_LAUNCH_FUNCTIONS_H

#include "command.h"

/* ARGV with the options that the driver of COMMAND needs; NULL: it cannot be done, and said so. */
char **functions_add_options(const struct command *command, char **argv);

#endif
