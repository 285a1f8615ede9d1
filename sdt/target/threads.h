/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the kernel says of the threads of a process, in /proc/PID/task: why it does not answer, and
 * why its sites cannot be armed.
 */
#ifndef SDT_THREADS_H
#define SDT_THREADS_H

#include <stdbool.h>
#include <sys/types.h>

/* A thread: its number and name. */
struct thread {
    pid_t id;
    char name[32];
};

/* Whether PID has a thread with NAME; also true if its threads cannot be seen. */
bool threads_have(pid_t pid, const char *name);

/* A thread of PID that blocks SIGTRAP, so that no breakpoint may be set; false: there is none. */
bool threads_block_trap(pid_t pid, struct thread *thread);

#endif
