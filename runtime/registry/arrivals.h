/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A list to which threads add objects without a lock, linked by sdt_dso.next, the newest first.
 */
#ifndef SDT_ARRIVALS_H
#define SDT_ARRIVALS_H

#include <sdt/format.h>
#include <stdatomic.h>
#include <stddef.h>

typedef _Atomic(struct sdt_dso *) arrivals;

static inline void arrivals_push(arrivals *list, struct sdt_dso *dso)
{
    dso->next = atomic_load(list);
    while (!atomic_compare_exchange_weak(list, &dso->next, dso))
        ;
}

/* All of them, the oldest first; the list is empty then. */
static inline struct sdt_dso *arrivals_take(arrivals *list)
{
    struct sdt_dso *taken = atomic_exchange(list, NULL), *oldest = NULL;
    while (taken) {
        struct sdt_dso *next = taken->next;
        taken->next = oldest;
        oldest = taken;
        taken = next;
    }
    return oldest;
}

#endif
