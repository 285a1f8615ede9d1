/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mutexes that report it if the thread that held them has died. A thread may be killed without the
 * process: by a seccomp filter at a system call of ours, or by its own SYS_exit in the middle of a
 * visitor. With a plain mutex, whoever wants it then waits for ever: exit(), fork().
 *
 * What the dead thread has left half done is unknown. So such a mutex is never locked again.
 */
#ifndef SDT_ROBUST_H
#define SDT_ROBUST_H

#include <pthread.h>
#include <time.h>

/* Also again, in a child of fork(2), whoever holds it. */
void robust_init(pthread_mutex_t *mutex);

/* 0; -EDEADLK: the thread holds it; -EOWNERDEAD: its owner has died, now or earlier. */
int robust_lock(pthread_mutex_t *mutex);
/* The same; -ETIMEDOUT: not until LIMIT, of CLOCK_REALTIME. */
int robust_lock_until(pthread_mutex_t *mutex, const struct timespec *limit);

void robust_unlock(pthread_mutex_t *mutex);

#endif
