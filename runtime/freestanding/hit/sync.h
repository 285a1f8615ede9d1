/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Readers and grace periods (runtime/hit/sync.h) in a kernel: it knows what its processors do, so a
 * reader is a context of <sdt/kernel.h>.
 */
#ifndef SDT_SYNC_H
#define SDT_SYNC_H

#include <sdt/kernel.h>
#include <stdbool.h>

struct reader {
    struct sdt_context context;
};

static inline void sync_start(void) {}

static inline struct reader *sync_enter(void)
{
    return (struct reader *)(void *)sdt_kernel_enter();
}

static inline void sync_leave(struct reader *reader)
{
    if (reader)
        sdt_kernel_leave(&reader->context);
}

/* Functions that ask are not called in handlers: sdt_kernel_lock() has refused that. */
static inline bool sync_in_handler(void)
{
    return false;
}

/* False: this context is in a handler already. An interrupt that comes in between and has the same
 * context leaves it as it was. */
static inline bool sync_begin_handlers(struct reader *reader)
{
    if (__atomic_load_n(&reader->context.in_handlers, __ATOMIC_RELAXED))
        return false;
    __atomic_store_n(&reader->context.in_handlers, 1, __ATOMIC_RELAXED);
    return true;
}

static inline void sync_end_handlers(struct reader *reader)
{
    __atomic_store_n(&reader->context.in_handlers, 0, __ATOMIC_RELAXED);
}

/* There is no errno. */
static inline int sync_errno(const struct reader *reader)
{
    (void)reader;
    return 0;
}

static inline void sync_restore_errno(const struct reader *reader, int saved)
{
    (void)reader;
    (void)saved;
}

static inline void sync_wait(void)
{
    sdt_kernel_wait();
}

static inline void sync_text(void)
{
    sdt_kernel_synchronise();
}

#endif
