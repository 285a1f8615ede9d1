/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers of processes and threads in other PID namespaces. What a process says of itself is its
 * number and its namespace (runtime/process/space.h), as one number: here, what it is for us.
 */
#ifndef SDT_NUMBERS_H
#define SDT_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The number that the process or thread has for itself whose file in /proc is STATUS. 0: unknown.*/
uint32_t numbers_own(const char *status);
/* Process PID is there; what it is called inside is remembered, in case it ends. */
void numbers_note(pid_t pid);
/* The process or thread that is INSIDE, with the same answer each time. 0: it was never seen. */
uint64_t numbers_outside(uint64_t inside, bool is_thread);

#endif
