/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See lock.h. The owner is the address of a thread-local variable: unlike pthread_self() it can be
 * compared in any context, and unlike gettid() it costs no system call. The variable says that the
 * thread holds the lock: where a thread has died, a later one may have it at the same address.
 */
#include "lock.h"

#include "robust.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic(const void *) owner;
static __thread atomic_bool me __attribute__((tls_model("initial-exec"))); /* I hold it */
static int cancellation; /* of the owner, before it took the lock */
static __thread bool took_for_fork __attribute__((tls_model("initial-exec")));

static void make_mutex(void)
{
    robust_init(&mutex);
}

bool lock_is_mine(void)
{
    return atomic_load_explicit(&owner, memory_order_relaxed) == &me &&
           atomic_load_explicit(&me, memory_order_relaxed);
}

int lock_acquire(void)
{
    int state;
    if (lock_is_mine())
        return -EDEADLK;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    pthread_once(&once, make_mutex);
    int error = robust_lock(&mutex);
    if (error) {
        pthread_setcancelstate(state, NULL);
        return error;
    }
    cancellation = state;
    atomic_store_explicit(&me, true, memory_order_relaxed);
    atomic_store_explicit(&owner, &me, memory_order_relaxed);
    return 0;
}

void lock_release(void)
{
    int state = cancellation;
    atomic_store_explicit(&owner, NULL, memory_order_relaxed);
    atomic_store_explicit(&me, false, memory_order_relaxed);
    robust_unlock(&mutex);
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

/* The mutex is its parent's thread's. It may be held by a visitor of sdt_foreach() that forks. */
void lock_after_fork_child(void)
{
    if (lock_is_mine()) {
        robust_init(&mutex);
        robust_lock(&mutex);
    }
    lock_after_fork_parent();
}
