/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See lock.h. The owner is the address of a thread-local variable: unlike pthread_self() it can be
 * compared in any context, and unlike gettid() it costs no system call.
 */
#include "lock.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(const void *) owner;
static __thread char me __attribute__((tls_model("initial-exec")));
static int cancellation; /* of the owner, before it took the lock */
static __thread bool took_for_fork __attribute__((tls_model("initial-exec")));

bool lock_is_mine(void)
{
    return atomic_load_explicit(&owner, memory_order_relaxed) == &me;
}

int lock_acquire(void)
{
    int state;
    if (lock_is_mine())
        return -EDEADLK;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    pthread_mutex_lock(&mutex);
    cancellation = state;
    atomic_store_explicit(&owner, &me, memory_order_relaxed);
    return 0;
}

void lock_release(void)
{
    int state = cancellation;
    atomic_store_explicit(&owner, NULL, memory_order_relaxed);
    pthread_mutex_unlock(&mutex);
    pthread_setcancelstate(state, NULL);
}

void lock_before_fork(void)
{
    took_for_fork = lock_acquire() == 0;
}

void lock_after_fork_parent(void)
{
    if (took_for_fork)
        lock_release();
    took_for_fork = false;
}

void lock_after_fork_child(void)
{
    lock_after_fork_parent();
}
