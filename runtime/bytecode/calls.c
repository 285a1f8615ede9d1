/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See calls.h. A thread is known by its reader record (hit/sync.h), which it has at every hit, and
 * which a later thread takes over when it ends. What that one finds on the stack is not its own,
 * unless it also has the other's thread-local storage: then its stack is the same memory, and
 * frames say what has ended.
 *
 * A signal handler may run between any two instructions, and its own calls come and go meanwhile: a
 * call is written before `depth` includes it. Within a hit's own handlers there are no hits.
 *
 * This file is compiled for general registers only.
 */
#include "calls.h"

#include "compiled.h"
#include "hit/event.h"
#include "hit/sync.h"
#include "run.h"
#include "tally.h"
#include "tests.h"

enum { THREADS = 1024, GROUP = 8, FEW = 256 };

struct call {
    uint64_t frame, time;
    uint64_t row; /* NO_ROW: there was no place for its path */
};

struct call_thread {
    _Atomic(const struct reader *) reader; /* whose it is; NULL: nobody's */
    uintptr_t storage;                     /* that thread's &sync_self */
    uint32_t depth;                        /* calls that are open */
    uint32_t deeper;                       /* that were not seen, and are not in the table yet */
    struct call call[LIVE_MAX_DEPTH];
};

struct calls {
    struct call_thread thread[THREADS];
};

size_t calls_size(void)
{
    return sizeof(struct calls);
}

/* ---- Threads. ---- */

static inline struct call_thread *place_of(struct calls *calls, const struct reader *reader,
                                           unsigned i)
{
    return &calls->thread[((uintptr_t)reader / sizeof *reader + i) % THREADS];
}

/* The place of READER, which is taken if there is none; NULL: there is no room. */
static struct call_thread *find(struct calls *calls, const struct reader *reader)
{
    for (unsigned i = 0; i < GROUP; i++) {
        struct call_thread *thread = place_of(calls, reader, i);
        const struct reader *found = NULL;
        if (atomic_load_explicit(&thread->reader, memory_order_relaxed) == reader ||
            atomic_compare_exchange_strong(&thread->reader, &found, reader))
            return thread;
    }
    return NULL;
}

/* As above; and what is there is this thread's. */
static __attribute__((noinline)) struct call_thread *
take(const struct live_aggregation *aggregation)
{
    struct call_thread *thread = find(aggregation->calls, sync_self);
    if (!thread) {
        tally_missed(&aggregation->view.table->unmatched);
        return NULL;
    }
    /* Those of a thread that has ended inside of them. */
    atomic_fetch_add_explicit(&aggregation->view.table->restarted, thread->depth,
                              memory_order_relaxed);
    thread->depth = 0;
    thread->storage = (uintptr_t)&sync_self;
    return thread;
}

/* The calling thread's; NULL: there is none, or the hit is at a site without a frame. */
static inline struct call_thread *own(const struct live_aggregation *aggregation,
                                      const struct sdt_event *event)
{
    const struct reader *reader = sync_self;
    if (__builtin_expect(!event->registers || !aggregation->calls || !reader, 0))
        return NULL;
    struct call_thread *thread = place_of(aggregation->calls, reader, 0);
    if (__builtin_expect(atomic_load_explicit(&thread->reader, memory_order_relaxed) == reader &&
                             thread->storage == (uintptr_t)&sync_self,
                         1))
        return thread;
    thread = find(aggregation->calls, reader);
    return thread && thread->storage == (uintptr_t)&sync_self ? thread : take(aggregation);
}

/* ---- What is lost. ---- */

/* In the table, where threads meet, only now and then. */
static void tell_deeper(const struct live_aggregation *aggregation, struct call_thread *thread)
{
    atomic_fetch_add_explicit(&aggregation->view.table->evicted, thread->deeper,
                              memory_order_relaxed);
    thread->deeper = 0;
}

static inline void note_deeper(const struct live_aggregation *aggregation,
                               struct call_thread *thread)
{
    if (__builtin_expect(++thread->deeper == FEW, 0))
        tell_deeper(aggregation, thread);
}

/* How many calls of THREAD are open at FRAME, which the topmost may have if it IS_END. */
static inline uint32_t still_open(const struct live_aggregation *aggregation,
                                  struct call_thread *thread, uint64_t frame, bool is_end)
{
    uint32_t depth = thread->depth, n = depth;
    while (n && thread->call[n - 1].frame < frame + !is_end)
        n--;
    if (__builtin_expect(n != depth, 0))
        atomic_fetch_add_explicit(&aggregation->view.table->restarted, depth - n,
                                  memory_order_relaxed);
    return n;
}

/* From now on, N are open. */
static inline void set_depth(struct call_thread *thread, uint32_t n)
{
    atomic_signal_fence(memory_order_seq_cst);
    thread->depth = n;
    atomic_signal_fence(memory_order_seq_cst);
}

/* ---- Hits. ---- */

static inline bool is_root(const struct live_aggregation *aggregation, uint64_t pc)
{
    unsigned i = 0;
    while (i < aggregation->root_count && aggregation->roots[i] != pc)
        i++;
    return i < aggregation->root_count || aggregation->root_count == 0;
}

/* The row of a call of the function that begins at PC, by what is open above it. */
static inline uint64_t row_of_call(const struct live_aggregation *aggregation,
                                   const struct call_thread *thread, uint32_t n, uint64_t pc)
{
    uint64_t caller = n ? thread->call[n - 1].row : 0;
    if (__builtin_expect(caller == NO_ROW, 0)) {
        tally_missed(&aggregation->view.table->overflow);
        return NO_ROW;
    }
    return tally_pair_row(&aggregation->view, n ? caller + 1 : 0, pc);
}

void calls_enter(const struct sdt_event *event, void *data)
{
    const struct live_aggregation *aggregation = data;
    struct call_thread *thread = own(aggregation, event);
    if (!thread)
        return;
    uint64_t frame = tests_argument(event, aggregation->quick.value);
    uint64_t pc = (uintptr_t)record_target(&event_record(event)->pc);
    uint32_t n = still_open(aggregation, thread, frame, false);
    bool is_seen = n ? n < aggregation->depth : is_root(aggregation, pc);
    if (!is_seen) {
        set_depth(thread, n);
        if (n)
            note_deeper(aggregation, thread);
        return;
    }
    uint64_t row = row_of_call(aggregation, thread, n, pc);
    thread->call[n] = (struct call){.frame = frame, .time = run_now(aggregation), .row = row};
    set_depth(thread, n + 1);
}

void calls_leave(const struct sdt_event *event, void *data)
{
    const struct live_aggregation *aggregation = data;
    struct call_thread *thread = own(aggregation, event);
    if (!thread || !thread->depth)
        return;
    uint64_t frame = tests_argument(event, aggregation->quick.value);
    uint32_t n = still_open(aggregation, thread, frame, true);
    if (!n || thread->call[n - 1].frame != frame) {
        set_depth(thread, n);
        return;
    }
    const struct call *call = &thread->call[--n];
    uint64_t now = run_now(aggregation), row = call->row;
    /* Time may go back from CPU to CPU. */
    uint64_t ns = now > call->time ? run_ns(aggregation, now - call->time) : 0;
    set_depth(thread, n);
    if (__builtin_expect(row != NO_ROW, 1))
        tally_call(&aggregation->view, row, ns);
    if (__builtin_expect(!n && thread->deeper, 0))
        tell_deeper(aggregation, thread);
}
