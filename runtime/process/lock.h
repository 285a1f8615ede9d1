/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The runtime's one lock, and how it nests with the locks of others.
 *
 *   rank 1  the loader's lock (ld.so holds it while constructors run; dlopen, dlclose and dladdr
 *           take it)
 *   rank 2  the lock below: everything in registry, patch and subscribe that says "locked"
 *   rank 3  the loader's list lock (dl_iterate_phdr), malloc's locks
 *
 * A thread takes them in rising order only. Hence: nothing called with our lock held may call
 * dlopen, dlclose or dladdr.
 *
 * Two rules keep it free of deadlocks although handlers of users run at any probe site:
 *  1. no thread waits for a grace period while holding it, so that a handler may always take it;
 *  2. it knows its owner. A handler can run while its own thread holds the lock (a probe in malloc,
 *     a probe in a signal handler that came in between, a visitor of sdt_foreach): lock_acquire()
 *     then returns -EDEADLK, and so does the API function that was called.
 *
 * Its owner cannot be cancelled: open, read and write, which it calls, are cancellation points. It
 * can be killed (robust.h): from then on nothing is changed, and all functions say -EOWNERDEAD.
 */
#ifndef SDT_LOCK_H
#define SDT_LOCK_H

#include <stdbool.h>

int lock_acquire(void); /* 0, -EDEADLK or -EOWNERDEAD */
void lock_release(void);
bool lock_is_mine(void);

/* For the fork handlers: take it before, release it in the parent, make it new in the child. */
void lock_before_fork(void);
void lock_after_fork_parent(void);
void lock_after_fork_child(void);

#endif
