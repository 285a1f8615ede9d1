/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a process is called. The kernel keeps 15 bytes of the name that a program was executed by
 * (/proc/PID/comm, which programs may change). The rest of a longer one is in the path of its file
 * and in its first arguments.
 */
#ifndef SDT_PROCESS_NAME_H
#define SDT_PROCESS_NAME_H

#include <stdbool.h>
#include <sys/types.h>

enum { PROCESS_NAME = 256 }; /* bytes, with its end */
enum { PROCESS_COMM = 17 };  /* of the kernel's part */

/* The kernel's part, "" if that is unknown. */
void process_comm(pid_t pid, char comm[PROCESS_COMM]);
/* The name of process PID, "?" if that is unknown. */
void process_name(pid_t pid, char name[PROCESS_NAME]);

/* Whether NAME may mean process PID: it is its name, the kernel's part of it, or that of its file
 * or its first argument. */
bool process_is_called(pid_t pid, const char *name);
/* The same of a pattern with `*`, `?` and `[set]`. */
bool process_matches(pid_t pid, const char *glob);

#endif
