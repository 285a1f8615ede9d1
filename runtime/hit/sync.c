/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See sync.h. One record per thread, in one word of it the state of the thread:
 *
 *     bits 0-7   how many sections the thread is in now
 *     bits 8-    how many outermost sections it began
 *
 * One word, so that a signal handler with a probe of its own may come in at any instruction: it
 * leaves the low bits as it found them. A writer reads the word once; the sections that existed
 * then are over as soon as the low bits are 0 or the high bits have changed.
 *
 * Which thread a record belongs to is known by the address of that thread's sync_self, its pointer
 * to the record. A number from gettid(2) would cost a system call in a thread's first hit, which
 * kills a thread under strict seccomp, and may be given to another thread when the first is dead.
 * The address also holds in a child of vfork, which runs in the place of its parent's thread with
 * the same variables, and in a child of fork(2) or a bare clone(2), which has copies of them.
 *
 *     owner 0                  free
 *     owner = address          that thread's, while the pointer there leads back to the record
 *     owner = address | BUSY   changing hands; only the thread that set BUSY may write it
 *
 * A hit may happen at a thread's very end, after every destructor: such a record stays claimed by a
 * dead thread. The C library reuses stacks, so usually a later thread has its variables at the same
 * address, and takes the record over. The records of other dead threads are taken when none is
 * free. A writer does not wait for a dead thread.
 *
 * A hit makes no system call and allocates nothing: the first enable reserves addresses for more
 * threads than most processes have, and a page of them is touched when it is needed. Slabs are
 * never unmapped.
 */
#define _GNU_SOURCE
#include "sync.h"

#include "process/peek.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Of the slab that is there without asking for memory, and of those that are mapped in a hit. */
#define SLAB_READERS 63
/* Of the one that the first enable reserves: 1 MiB of addresses. */
#define RESERVED_READERS 16383
/* glibc keeps this many thread-specific values in the thread itself and allocates beyond it. */
#define KEYS_WITHOUT_MALLOC 32
/* The C library's description of a thread begins where pthread_self() says and is not longer. */
#define THREAD_SIZE 4096

enum { BUSY = 1 };

struct slab {
    struct slab *next;
    struct reader *readers;
    unsigned room;
    atomic_uint used; /* records that were ever claimed; the others are never read */
} __attribute__((aligned(64)));

static struct reader first_readers[SLAB_READERS];
static struct slab first_slab = {NULL, first_readers, SLAB_READERS, 0};
static _Atomic(struct slab *) slabs = &first_slab;
__thread struct reader *sync_self __attribute__((tls_model("initial-exec")));
atomic_bool sync_has_membarrier;
static atomic_bool has_sync_core;
static bool started;
static pthread_key_t exit_key;
static atomic_bool has_exit_key;
_Atomic ptrdiff_t sync_cleared_word;

static int membarrier(int command)
{
    return (int)syscall(SYS_membarrier, command, 0, 0);
}

/*
 * Whether the thread that OWNER says has ended, or has nothing to do with READER any more. Its
 * variables may be gone, or be another thread's by now; or they lie untouched in the C library's
 * cache of stacks, where the kernel has cleared one word. What cannot be told is taken for alive.
 */
static bool is_dead(const struct reader *reader, uintptr_t owner)
{
    const struct reader *self = NULL;
    int error = peek(&self, owner, sizeof self);
    if (error)
        return error == -EFAULT;
    ptrdiff_t distance = atomic_load_explicit(&sync_cleared_word, memory_order_relaxed);
    int word = 0;
    return self != reader ||
           (distance && peek(&word, owner + (uintptr_t)distance, sizeof word) == 0 && word == 0);
}

static void clean(struct reader *reader)
{
    atomic_fetch_and(&reader->state, ~(uintptr_t)NESTING);
    atomic_store(&reader->in_handler, 0);
}

/* A signal may come in anywhere: with sync_self gone, its hits claim another record. */
static void on_thread_exit(void *value)
{
    struct reader *reader = value;
    uintptr_t owner = (uintptr_t)&sync_self;
    bool is_mine = atomic_compare_exchange_strong(&reader->owner, &owner, owner | BUSY);
    sync_self = NULL;
    if (!is_mine) /* another thread is checking whether we are dead, and now finds that we are */
        return;
    clean(reader);
    atomic_store(&reader->owner, 0);
}

static void push_slab(struct slab *slab)
{
    slab->next = atomic_load(&slabs);
    while (!atomic_compare_exchange_weak(&slabs, &slab->next, slab))
        ;
}

/* A slab of ROOM records, or NULL. */
static struct slab *map_slab(unsigned room)
{
    size_t size = sizeof(struct slab) + room * sizeof(struct reader);
    struct slab *slab = mmap(NULL, size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slab == MAP_FAILED)
        return NULL;
    slab->readers = (struct reader *)(slab + 1);
    slab->room = room;
    return slab;
}

/* Only the kernel knows which word that is; it must be the thread's own for the rule to hold. */
static void find_cleared_word(void)
{
    char *place = NULL;
    if (prctl(PR_GET_TID_ADDRESS, &place, 0, 0, 0) == 0 && place &&
        (uintptr_t)place - (uintptr_t)pthread_self() < THREAD_SIZE)
        atomic_store(&sync_cleared_word, place - (char *)&sync_self);
}

/*
 * Only one of the two registrations, as each may take a grace period of the kernel's: the barrier
 * that also serialises cores is a memory barrier like the other one (membarrier(2)). Before Linux
 * 4.16, and on machines that do not have it, only the other one is there.
 */
void sync_register(void)
{
    if (atomic_load(&sync_has_membarrier))
        return;
    if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE) == 0)
        atomic_store(&has_sync_core, true);
    else if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) != 0)
        return;
    atomic_store(&sync_has_membarrier, true);
}

void sync_start(void)
{
    if (started)
        return;
    started = true;
    sync_register();
    if (pthread_key_create(&exit_key, on_thread_exit) == 0)
        atomic_store(&has_exit_key, exit_key < KEYS_WITHOUT_MALLOC);
    find_cleared_word();
    struct slab *slab = map_slab(RESERVED_READERS);
    if (slab) /* else a few threads have records, and the hits of more ask for memory */
        push_slab(slab);
}

/* Make READER busy for thread ME if it is free, or was an earlier thread's at the same address. */
static bool take(struct reader *reader, uintptr_t me)
{
    uintptr_t owner = atomic_load_explicit(&reader->owner, memory_order_relaxed);
    return (owner == 0 || owner == me) &&
           atomic_compare_exchange_strong(&reader->owner, &owner, me | BUSY);
}

/* The same, if its owner is dead. Busy, it keeps the owner that we ask for. */
static bool take_from_dead(struct reader *reader, uintptr_t me)
{
    uintptr_t owner = atomic_load(&reader->owner);
    if (owner == 0 || (owner & BUSY) ||
        !atomic_compare_exchange_strong(&reader->owner, &owner, owner | BUSY))
        return false;
    bool dead = is_dead(reader, owner);
    atomic_store(&reader->owner, dead ? me | BUSY : owner);
    return dead;
}

static struct reader *take_from_slabs(uintptr_t me, bool (*take_one)(struct reader *, uintptr_t))
{
    for (struct slab *slab = atomic_load(&slabs); slab; slab = slab->next)
        for (unsigned i = 0; i < slab->room; i++) {
            unsigned used = atomic_load(&slab->used);
            while (used <= i && !atomic_compare_exchange_weak(&slab->used, &used, i + 1))
                ;
            if (take_one(&slab->readers[i], me))
                return &slab->readers[i];
        }
    return NULL;
}

static struct reader *take_from_new_slab(uintptr_t me)
{
    struct slab *slab = map_slab(SLAB_READERS);
    if (!slab)
        return NULL;
    slab->used = 1;
    slab->readers[0].owner = me | BUSY;
    push_slab(slab);
    return &slab->readers[0];
}

/* By system calls; out of line, as it is for few and takes more stack. */
static __attribute__((noinline)) struct reader *take_another(uintptr_t me)
{
    int saved = errno;
    struct reader *reader = take_from_slabs(me, take_from_dead);
    if (!reader)
        reader = take_from_new_slab(me);
    errno = saved;
    return reader;
}

/*
 * Give the calling thread a record. Signals may come in anywhere and do the same; should one be
 * faster at the last moment, its record stays claimed until this thread is dead.
 */
struct reader *sync_claim(void)
{
    uintptr_t me = (uintptr_t)&sync_self;
    struct reader *reader = take_from_slabs(me, take);
    if (!reader)
        reader = take_another(me);
    if (!reader)
        return sync_self;
    clean(reader);
    if (sync_self) { /* a signal handler was faster: keep its record, which may be this one */
        atomic_store(&reader->owner, reader == sync_self ? me : 0);
        return sync_self;
    }
    reader->errno_place = &errno;
    sync_self = reader;
    atomic_store(&reader->owner, me); /* last: an owner who does not know the record is dead */
    if (atomic_load(&has_exit_key))
        pthread_setspecific(exit_key, reader);
    return reader;
}

int sync_ask_thread(void)
{
    return (int)syscall(SYS_gettid);
}

void sync_abandon(void)
{
    if (!sync_self)
        return;
    clean(sync_self);
}

/* Wait for the section that READER is in now, if it is in one. */
static void wait_for(struct reader *reader)
{
    uintptr_t then = atomic_load_explicit(&reader->state, memory_order_acquire);
    struct timespec pause = {.tv_nsec = 20000};
    for (unsigned round = 0;; round++) {
        uintptr_t now = atomic_load_explicit(&reader->state, memory_order_acquire);
        if ((now & NESTING) == 0 || (now ^ then) >= SECTION)
            return;
        if (round < 64) {
            sched_yield();
            continue;
        }
        uintptr_t owner = atomic_load(&reader->owner);
        if (owner == 0 || (!(owner & BUSY) && is_dead(reader, owner)))
            return;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 2000000)
            pause.tv_nsec *= 2;
    }
}

/* Every thread that runs passes a barrier; 0 if that was done. */
static int barrier(void)
{
    return membarrier(atomic_load(&has_sync_core) ? MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE
                                                  : MEMBARRIER_CMD_PRIVATE_EXPEDITED);
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
    if (atomic_load(&sync_has_membarrier) && barrier() != 0)
        barrier_by_mprotect();
    int cancellation; /* the caller holds what would otherwise never be freed */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    for (struct slab *slab = atomic_load(&slabs); slab; slab = slab->next)
        for (unsigned i = 0; i < atomic_load(&slab->used); i++)
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
    uintptr_t me = (uintptr_t)&sync_self;
    for (struct slab *slab = atomic_load(&slabs); slab; slab = slab->next)
        for (unsigned i = 0; i < atomic_load(&slab->used); i++) {
            struct reader *reader = &slab->readers[i];
            if (reader == sync_self) {
                atomic_store(&reader->owner, me);
            } else if ((atomic_load(&reader->owner) & ~(uintptr_t)BUSY) != me) {
                clean(reader);
                atomic_store(&reader->owner, 0);
            } /* else: a handler of a signal, which came while this thread claimed it, forks */
        }
}
