/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See robust.h. The kernel does it, when a thread ends in whatever way (set_robust_list(2)): the
 * main thread as well, whose number stays in use until the process ends. Where it does not, as
 * under qemu's emulation of programs, these are plain mutexes.
 */
#define _GNU_SOURCE
#include "robust.h"

#include <errno.h>

void robust_init(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    if (pthread_mutex_init(mutex, &attributes) != 0)
        pthread_mutex_init(mutex, NULL);
    pthread_mutexattr_destroy(&attributes);
}

/* The first thread to notice gets the mutex. Unlocked as it is, it can never be locked again. */
static int result(pthread_mutex_t *mutex, int error)
{
    if (error == EOWNERDEAD)
        pthread_mutex_unlock(mutex);
    return error == ENOTRECOVERABLE ? -EOWNERDEAD : -error;
}

int robust_lock(pthread_mutex_t *mutex)
{
    return result(mutex, pthread_mutex_lock(mutex));
}

int robust_lock_until(pthread_mutex_t *mutex, const struct timespec *limit)
{
    return result(mutex, pthread_mutex_timedlock(mutex, limit));
}

/* In a child of _Fork(), which runs no handlers, it is its parent's thread that holds it. */
void robust_unlock(pthread_mutex_t *mutex)
{
    if (pthread_mutex_unlock(mutex) == EPERM)
        robust_init(mutex);
}
