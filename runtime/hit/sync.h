/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Readers, grace periods and barriers: when may memory that a probe hit might be using be freed?
 *
 * Every probe hit and every trap is a *reader section*. A writer unpublishes something, calls
 * sync_wait(), and may then free it: every section that could have seen it has ended. This is
 * userspace RCU in its "memb" flavour: the reader pays two plain stores; the writer makes them
 * visible with one membarrier(2). liburcu itself was not used because its threads must register
 * before their first section, and a probe can be hit by a thread that has not registered.
 */
#ifndef SDT_SYNC_H
#define SDT_SYNC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a thread is doing; `state` is explained in sync.c. Only sync.c reads other threads'. */
struct reader {
    _Atomic uintptr_t state;
    _Atomic uintptr_t owner; /* whose it is; see sync.c */
    _Atomic int in_handler;  /* whether the thread is */
    int *errno_place;        /* the thread's errno: a hit need not ask the C library for it */
} __attribute__((aligned(64)));

enum { NESTING = 0xff, SECTION = 0x100 };

/* Register for membarrier, which is a part of sync_start(). With one thread that takes no time;
 * with several it waits for all CPUs, 1 to 100 ms: so it is called before there are several, where
 * that is possible (start/prepare.h). */
void sync_register(void);

/* Make ready: register for membarrier, make the thread-exit key, reserve room for the records, so
 * that hits make no system calls. First enable; locked. */
void sync_start(void);

/* The calling thread's record, or NULL: it has none yet, and sync_claim() tries to get it one. */
extern __thread struct reader *sync_self __attribute__((tls_model("initial-exec")));
struct reader *sync_claim(void);
extern atomic_bool sync_has_membarrier;

/*
 * Begin and end a section; sections nest. Async-signal-safe, no locks, no malloc. sync_enter()
 * returns NULL if no record could be had (out of memory): there is then no section.
 *
 * These and the marks below are what every hit pays, and so are inline.
 */
static inline struct reader *sync_enter(void)
{
    struct reader *reader = sync_self;
    if (__builtin_expect(!reader, 0) && !(reader = sync_claim()))
        return NULL;
    uintptr_t state = atomic_load_explicit(&reader->state, memory_order_relaxed);
    state += (state & NESTING) ? 1 : SECTION + 1;
    atomic_store_explicit(&reader->state, state, memory_order_relaxed);
    /* Orders this store before the section's loads; the other half is sync_wait()'s membarrier. */
    if (__builtin_expect(atomic_load_explicit(&sync_has_membarrier, memory_order_relaxed), 1))
        atomic_signal_fence(memory_order_seq_cst);
    else
        atomic_thread_fence(memory_order_seq_cst);
    return reader;
}

static inline void sync_leave(struct reader *reader)
{
    if (!reader)
        return;
    uintptr_t state = atomic_load_explicit(&reader->state, memory_order_relaxed);
    /* Release: the section's accesses come before the store that ends it. */
    atomic_store_explicit(&reader->state, state - 1, memory_order_release);
}

/* Whether the calling thread is inside a handler, and the marks around the handlers of one hit. */
static inline bool sync_in_handler(void)
{
    return sync_self && atomic_load_explicit(&sync_self->in_handler, memory_order_relaxed);
}

/* False: this thread is in a handler already. */
static inline bool sync_begin_handlers(struct reader *reader)
{
    if (atomic_load_explicit(&reader->in_handler, memory_order_relaxed))
        return false;
    atomic_store_explicit(&reader->in_handler, 1, memory_order_relaxed);
    return true;
}

static inline void sync_end_handlers(struct reader *reader)
{
    atomic_store_explicit(&reader->in_handler, 0, memory_order_relaxed);
}

/* What handlers must not change; to be given back after them. */
static inline int sync_errno(const struct reader *reader)
{
    return *reader->errno_place;
}

static inline void sync_restore_errno(const struct reader *reader, int saved)
{
    *reader->errno_place = saved;
}

/* How far after a thread's sync_self is the word that the kernel clears when the thread ends; 0:
 * unknown. The same in all threads. */
extern __attribute__((visibility("hidden"))) _Atomic ptrdiff_t sync_cleared_word;
int sync_ask_thread(void);
/*
 * The number of the calling thread, as the kernel has it. No system call, if the C library keeps it
 * where the kernel clears it; else one.
 */
static inline int sync_thread(void)
{
    ptrdiff_t distance = atomic_load_explicit(&sync_cleared_word, memory_order_relaxed);
    return __builtin_expect(distance != 0, 1)
               ? *(const int *)((uintptr_t)&sync_self + (uintptr_t)distance) /* another object */
               : sync_ask_thread();
}

/* End all sections of the calling thread: a forced unwinding is leaving a handler for good. */
void sync_abandon(void);

/* Wait until every section that exists now has ended. Not locked; never inside a handler. */
void sync_wait(void);

/* Make all threads see the text as it is now. */
void sync_text(void);

/* In the child of a fork: only the calling thread is left. */
void sync_after_fork_child(void);

#endif
