/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Commands that are executables of their own, since they need libraries that no compilation should
 * have to load: `sdtlink list FILE…` (libdw) and `sdtlink verify FILE…` (LLVM). Each hands over to
 * sdtlink-list or sdtlink-verify, and returns 1 after a message if that cannot be started.
 */
#ifndef SDTLINK_COMMANDS_H
#define SDTLINK_COMMANDS_H

#include <stdbool.h>

/* argv[0] is the command's name. */
int list_command(int argc, char **argv);
int verify_command(int argc, char **argv);

/* What `sdtlink-list --signatures PATH` prints, a text that is the caller's; NULL: nothing.
 * *IS_THERE: it could be started. */
char *signatures_command(const char *path, bool *is_there);

#endif
