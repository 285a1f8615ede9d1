/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See sync.h. One record per thread, in one word of it the state of the thread:
 *
 *     bits 0-7  how many sections the thread is in now     bits 8-  how many outermost ones it
 * began
 *
 * One word, so that a signal handler with a probe of its own may come in at any instruction: it
 * leaves the low bits as it found them. A writer reads the word once; the sections that existed
 * then are over as soon as the low bits are 0 or the high bits have changed.
 *
 * Records come from slabs that are never unmapped, because a hit may happen in a thread's very last
 * moments, after every destructor: such a record stays claimed by a dead thread, and is taken back
 * when records run out or when a writer waits for it.
 *
 * Which thread a record belongs to is known by the thread's number, and that is worth nothing in
 * another process than the one it was read in: a child of vfork runs in the place of its parent's
 * thread, with the same variables and a number of its own; a child of a bare clone(2) has numbers
 * of its parent in its records. What a number cannot tell is taken for alive.
 */
#define _GNU_SOURCE
#include "sync.h"

#include <errno.h>
#include <limits.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SLAB_READERS 63
#define UNKNOWN INT_MAX
/* glibc keeps this many thread-specific values in the thread itself and allocates beyond it. */
#define KEYS_WITHOUT_MALLOC 32

struct slab {
    struct slab *next;
    struct reader readers[SLAB_READERS];
};

static _Atomic(struct slab *) slabs;
__thread struct reader *sync_self;
atomic_bool sync_has_membarrier;
static atomic_bool has_sync_core;
static bool started;
static atomic_int process; /* whose numbers the records have */
static pthread_key_t exit_key;
static atomic_bool has_exit_key;

static int membarrier(int command)
{
    return (int)syscall(SYS_membarrier, command, 0, 0);
}

static bool is_foreign_process(void)
{
    return getpid() != atomic_load_explicit(&process, memory_order_relaxed);
}

static int thread_id(void)
{
    return is_foreign_process() ? UNKNOWN : (int)syscall(SYS_gettid);
}

static bool is_dead(int tid)
{
    int saved = errno;
    bool dead = tid != UNKNOWN && !is_foreign_process() &&
                syscall(SYS_tgkill, getpid(), tid, 0) != 0 && errno == ESRCH;
    errno = saved;
    return dead;
}

static void on_thread_exit(void *value)
{
    struct reader *reader = value;
    sync_self = NULL;
    atomic_store(&reader->hands, 0);
    atomic_fetch_and(&reader->state, ~(uint64_t)NESTING);
    atomic_store(&reader->tid, 0);
}

void sync_start(void)
{
    if (started)
        return;
    started = true;
    atomic_store(&process, getpid());
    if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0)
        atomic_store(&sync_has_membarrier, true);
    if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE) == 0)
        atomic_store(&has_sync_core, true);
    if (pthread_key_create(&exit_key, on_thread_exit) == 0)
        atomic_store(&has_exit_key, exit_key < KEYS_WITHOUT_MALLOC);
}

/* A free record, a record of a dead thread if REAP, or NULL. */
static struct reader *take_from_slabs(int tid, bool reap)
{
    for (struct slab *slab = atomic_load(&slabs); slab; slab = slab->next) {
        for (size_t i = 0; i < SLAB_READERS; i++) {
            struct reader *reader = &slab->readers[i];
            int owner = atomic_load_explicit(&reader->tid, memory_order_relaxed);
            /* Not even under our own number: a signal may have come in while it was given back. */
            if (owner != 0 && !(reap && is_dead(owner)))
                continue;
            if (!atomic_compare_exchange_strong(&reader->tid, &owner, tid))
                continue;
            atomic_fetch_and(&reader->state, ~(uint64_t)NESTING);
            atomic_store(&reader->hands, 0);
            return reader;
        }
    }
    return NULL;
}

static struct reader *take_from_new_slab(int tid)
{
    struct slab *slab =
        mmap(NULL, sizeof *slab, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slab == MAP_FAILED)
        return NULL;
    atomic_store(&slab->readers[0].tid, tid);
    slab->next = atomic_load(&slabs);
    while (!atomic_compare_exchange_weak(&slabs, &slab->next, slab))
        ;
    return &slab->readers[0];
}

/*
 * Give the calling thread a record. Signals may come in anywhere and do the same; should one be
 * faster at the last moment, its record stays claimed until this thread is dead.
 */
struct reader *sync_claim(void)
{
    int saved = errno;
    int tid = thread_id();
    struct reader *reader = take_from_slabs(tid, false);
    if (!reader)
        reader = take_from_slabs(tid, true);
    if (!reader)
        reader = take_from_new_slab(tid);
    errno = saved;
    if (sync_self) { /* a signal handler was faster: keep its record */
        if (reader)
            atomic_store(&reader->tid, 0);
        return sync_self;
    }
    if (reader)
        reader->errno_place = &errno;
    sync_self = reader;
    if (reader && atomic_load(&has_exit_key))
        pthread_setspecific(exit_key, reader);
    return reader;
}

void sync_abandon(void)
{
    if (!sync_self)
        return;
    atomic_store(&sync_self->hands, 0);
    atomic_fetch_and(&sync_self->state, ~(uint64_t)NESTING);
}

/* Wait for the section that READER is in now, if it is in one. */
static void wait_for(struct reader *reader)
{
    uint64_t then = atomic_load_explicit(&reader->state, memory_order_acquire);
    struct timespec pause = {.tv_nsec = 20000};
    for (unsigned round = 0;; round++) {
        uint64_t now = atomic_load_explicit(&reader->state, memory_order_acquire);
        if ((now & NESTING) == 0 || (now ^ then) >= SECTION)
            return;
        if (round < 64) {
            sched_yield();
            continue;
        }
        int tid = atomic_load(&reader->tid);
        if (tid == 0 || is_dead(tid))
            return;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 2000000)
            pause.tv_nsec *= 2;
    }
}

/*
 * What to do when membarrier(2) was there and is not any more (a seccomp filter came): taking a
 * right away from a page that was just written makes the kernel interrupt every processor that runs
 * a thread of ours, to flush its address translations, and an interrupt is a barrier.
 */
static void barrier_by_mprotect(void)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *fresh = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED)
        return;
    *(volatile char *)fresh = 1;
    mprotect(fresh, size, PROT_READ);
    munmap(fresh, size);
}

void sync_wait(void)
{
    /*
     * What was unpublished before this line is not seen by any section whose first store we do not
     * see after it. Without the barrier a reader's store could still sit in its store buffer while
     * its load has already fetched the old pointer.
     */
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&sync_has_membarrier) && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0)
        barrier_by_mprotect();
    int cancellation; /* the caller holds what nobody else would free */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    for (struct slab *slab = atomic_load(&slabs); slab; slab = slab->next)
        for (size_t i = 0; i < SLAB_READERS; i++)
            wait_for(&slab->readers[i]);
    pthread_setcancelstate(cancellation, NULL);
}

void sync_text(void)
{
    /* Where it does not exist, the kernel's own return from the write serialises this thread, and
     * the others see the byte at their next serialising instruction or cache-line fetch. */
    if (atomic_load(&has_sync_core))
        membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE);
}

void sync_after_fork_child(void)
{
    atomic_store(&process, getpid());
    for (struct slab *slab = atomic_load(&slabs); slab; slab = slab->next)
        for (size_t i = 0; i < SLAB_READERS; i++) {
            struct reader *reader = &slab->readers[i];
            if (reader == sync_self) {
                atomic_store(&reader->tid, thread_id());
                continue;
            }
            atomic_fetch_and(&reader->state, ~(uint64_t)NESTING);
            atomic_store(&reader->hands, 0);
            atomic_store(&reader->tid, 0);
        }
}
