/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding programs, and becoming them. */
#ifndef SDTLINK_LAUNCH_FIND_H
#define SDTLINK_LAUNCH_FIND_H

#include "launcher_options.h"

/* Exit statuses of a command that could not be started, as in the shell. */
enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };

/* Path of the real linker for NAME ("ld.lld", a path); NULL: none, and said so. To be freed. */
char *launch_find_linker(const struct launch *launch, const char *name);
/* Replace this process by ARGV[0], PATH if not NULL. Returns the exit status if that fails. */
int launch_exec(const char *path, char **argv);
/*
 * Where a part of sdtlink lies: the first of PLACES (NULL-terminated, relative to the directory of
 * the running executable) that exists. NULL: none. To be freed.
 */
char *launch_find_part(const char *const *places);

#endif
