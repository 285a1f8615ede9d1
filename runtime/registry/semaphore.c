/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See semaphore.h. A semaphore is a counter of 16 bits. Debuggers, the kernel's uprobes and we each
 * add one and subtract it again; a program tests it for 0. However many sites share it, we add only
 * one: 65 536 would wrap to 0.
 *
 * Others count in it at the same time. We add atomically; the kernel does not (it reads, adds and
 * stores through a mapping of its own, with no lock that we could take): a tracer that attaches in
 * the very nanoseconds of an enable may lose one of the two. A counter that is 0 is not
 * decremented: ours was already removed, and 0 must not become 65 535.
 *
 * In the child of a fork, counters and our record of them are copies of the parent's, and agree.
 */
#include "semaphore.h"

void semaphore_raise(struct site *site)
{
    struct semaphore *semaphore = site->semaphore;
    bool is_armed = atomic_load_explicit(&site->mode, memory_order_relaxed) != SITE_OFF;
    if (!semaphore || site->of_semaphore.is_raised || !is_armed)
        return;
    site->of_semaphore.is_raised = true;
    if (semaphore->sites++ == 0)
        __atomic_fetch_add(semaphore->counter, 1, __ATOMIC_SEQ_CST);
}

void semaphore_lower(struct site *site)
{
    struct semaphore *semaphore = site->semaphore;
    if (!site->of_semaphore.is_raised)
        return;
    site->of_semaphore.is_raised = false;
    if (--semaphore->sites > 0)
        return;
    uint16_t now = __atomic_load_n(semaphore->counter, __ATOMIC_SEQ_CST);
    while (now > 0 && !__atomic_compare_exchange_n(semaphore->counter, &now, (uint16_t)(now - 1),
                                                   false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
}
