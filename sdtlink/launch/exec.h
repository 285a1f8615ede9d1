/* SPDX-License-Identifier: BSD-2-Clause */
/* Becoming another program. */
#ifndef SDTLINK_LAUNCH_EXEC_H
#define SDTLINK_LAUNCH_EXEC_H

/* Exit statuses of a command that could not be started, as in the shell. */
enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };

/* Replace this process by ARGV[0], PATH if not NULL. Returns the exit status if that fails. */
int exec_program(const char *path, char **argv);

#endif
