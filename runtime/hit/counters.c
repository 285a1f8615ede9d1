/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See counters.h. What the assembly needs is determined once, when a probe is first counted: the
 * distance from the thread pointer to the thread's rseq area, and the number of CPUs that have
 * words.
 *
 * Only one library can own the area of a thread, and that is the C library; it says so by two
 * constants. They are weak here: glibc has them since 2.35, others do not, and a size of 0 means
 * that it does not register its threads (an old kernel, GLIBC_TUNABLES, another owner). mold drops
 * weak references to them from a program, as the dynamic loader that has them is not among the
 * inputs by itself; then dlsym(3) finds them.
 *
 * Without restartable sequences, a probe counts in its state's `hits`. If tools may attach, it gets
 * counters nevertheless: they must be able to read the last hit of a process that has ended. Then
 * no CPU has words, so each hit goes to the page of no CPU. The assembly is the same, and what it
 * writes into a struct rseq goes to a variable of each thread that is never read.
 *
 * CPUs may come and go, but only those that the kernel calls possible, a set that is fixed when it
 * starts. Where that cannot be read, or is wrong (a process that was moved to a larger machine),
 * the bound in the assembly sends the others to the probe's own word.
 *
 * Slabs are made by one thread at a time, under the lock, and are never freed. Freeing counters
 * takes no lock: it only clears a bit, when the words are zero again.
 */
#define _GNU_SOURCE
#include "counters.h"

#include "process/file.h"
#include "process/handle.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <machine/layout.h>
#include <machine/thread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE ((size_t)1 << COUNTERS_SHIFT)
#define WORDS (PAGE / sizeof(uint64_t)) /* of one CPU in a slab */
#define MASKS (WORDS / 64)
#define MAX_CPUS 65536
#define LEAST_AREA 16 /* up to the name of a piece, and with it */

struct slab {
    struct slab *next;
    uint8_t *pages;     /* one a CPU, and one more */
    bool is_public;     /* made for tools, */
    struct handle file; /* in this file, if that could be made */
    atomic_uint left;
    _Atomic uint64_t used[MASKS]; /* a bit for each word */
};

static _Atomic(struct slab *) slabs;
static bool is_shared;

extern const ptrdiff_t rseq_offset __asm__("__rseq_offset") __attribute__((weak));
extern const unsigned rseq_size __asm__("__rseq_size") __attribute__((weak));
#pragma weak dlsym /* static programs have none */
static const ptrdiff_t *offset_place = &rseq_offset;
static const unsigned *size_place = &rseq_size;

/* What is written instead of a struct rseq. */
static __thread uint64_t no_area[LEAST_AREA / sizeof(uint64_t)]
    __attribute__((tls_model("initial-exec")));

ptrdiff_t counters_area;
uint64_t counters_cpus;
uint64_t counters_rest;

/* The highest number in a list like `0-3,8`, and 1; 0: there is none. */
static size_t read_cpus(const char *path)
{
    char text[4096];
    size_t highest = 0, number = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (fd >= 0)
        close(fd);
    for (ssize_t i = 0; i < n; i++) {
        number = text[i] >= '0' && text[i] <= '9' ? number * 10 + (size_t)(text[i] - '0') : 0;
        if (number > MAX_CPUS)
            return 0;
        if (number > highest)
            highest = number;
    }
    return n > 0 ? highest + 1 : 0;
}

static size_t count_cpus(void)
{
    size_t cpus = read_cpus("/sys/devices/system/cpu/possible");
    long configured = cpus ? 0 : sysconf(_SC_NPROCESSORS_CONF);
    return configured > 0 && configured <= MAX_CPUS ? (size_t)configured : cpus;
}

void counters_find(void)
{
    if ((offset_place && size_place) || !dlsym)
        return;
    offset_place = dlsym(RTLD_DEFAULT, "__rseq_offset");
    size_place = dlsym(RTLD_DEFAULT, "__rseq_size");
}

bool counters_start(void)
{
    static bool looked;
    if (looked)
        return counters_cpus != 0;
    looked = true;
    bool is_registered = offset_place && size_place && *size_place >= LEAST_AREA;
    if (MACHINE_HAS_PERCPU && is_registered) {
        counters_area = *offset_place;
        counters_cpus = count_cpus();
        counters_rest = counters_cpus * PAGE;
    } else {
        counters_area = (char *)no_area - machine_thread();
    }
    return counters_cpus != 0;
}

static size_t slab_size(void)
{
    return counters_rest + PAGE;
}

/* Map the pages of SLAB; AT, if not NULL, in place of what is there. */
static void *map_pages(struct slab *slab, void *at)
{
    int fixed = at ? MAP_FIXED : 0;
    slab->file = handle_keep(is_shared ? file_in_memory("sdt-counters", slab_size()) : -1);
    if (slab->file.fd >= 0)
        return mmap(at, slab_size(), PROT_READ | PROT_WRITE, MAP_SHARED | fixed, slab->file.fd, 0);
    return mmap(at, slab_size(), PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
}

static struct slab *new_slab(void)
{
    struct slab *slab = calloc(1, sizeof *slab);
    void *pages = slab ? map_pages(slab, NULL) : MAP_FAILED;
    if (pages == MAP_FAILED) {
        if (slab)
            handle_close(&slab->file);
        free(slab);
        return NULL;
    }
    /* A huge page would be resident for all of its CPUs, and on one of their nodes. */
    madvise(pages, slab_size(), MADV_NOHUGEPAGE);
    slab->pages = pages;
    slab->is_public = is_shared;
    atomic_init(&slab->left, WORDS);
    slab->next = atomic_load(&slabs);
    atomic_store(&slabs, slab);
    return slab;
}

/* An unused word, in the page of CPU 0; SLAB has one. */
static void *take_word(struct slab *slab)
{
    for (size_t i = 0; i < MASKS; i++) {
        uint64_t used = atomic_load_explicit(&slab->used[i], memory_order_acquire);
        if (used == UINT64_MAX)
            continue;
        unsigned bit = (unsigned)__builtin_ctzll(~used);
        atomic_fetch_or(&slab->used[i], UINT64_C(1) << bit);
        atomic_fetch_sub(&slab->left, 1);
        return slab->pages + (i * 64 + bit) * sizeof(uint64_t);
    }
    return NULL;
}

static uint64_t *word_of(void *counters, size_t cpu)
{
    return (uint64_t *)((uint8_t *)counters + cpu * PAGE);
}

static struct slab *slab_of(const void *counters)
{
    const uint8_t *first = counters;
    struct slab *slab = atomic_load(&slabs);
    while (slab && (first < slab->pages || first >= slab->pages + PAGE))
        slab = slab->next;
    return slab;
}

static bool is_public(const void *counters)
{
    const struct slab *slab = slab_of(counters);
    return slab && slab->is_public;
}

void counters_make(struct hit_state *state)
{
    bool has_sequences = counters_start();
    void *before = state->counters;
    if (before ? !is_shared || is_public(before) : !has_sequences && !is_shared)
        return;
    struct slab *slab = atomic_load(&slabs);
    while (slab && (slab->is_public != is_shared || atomic_load(&slab->left) == 0))
        slab = slab->next;
    if (!slab)
        slab = new_slab();
    if (!slab)
        return;
    __atomic_store_n(&state->old_counters, before, __ATOMIC_RELEASE);
    __atomic_store_n(&state->counters, take_word(slab), __ATOMIC_RELEASE);
}

static void free_words(void *counters)
{
    uint8_t *first = counters;
    if (!counters)
        return;
    for (size_t cpu = 0; cpu <= counters_cpus; cpu++)
        if (*word_of(counters, cpu)) /* do not make pages to write zero in them */
            *word_of(counters, cpu) = 0;
    struct slab *slab = slab_of(counters);
    if (!slab)
        return;
    size_t i = (size_t)(first - slab->pages) / sizeof(uint64_t);
    atomic_fetch_and(&slab->used[i / 64], ~(UINT64_C(1) << i % 64));
    atomic_fetch_add(&slab->left, 1); /* afterwards: who finds one finds the bit */
}

void counters_free(const struct hit_state *state)
{
    free_words(state->counters);
    free_words(state->old_counters);
}

static uint64_t sum_words(void *counters)
{
    uint64_t sum = 0;
    for (size_t cpu = 0; counters && cpu <= counters_cpus; cpu++)
        sum += __atomic_load_n(word_of(counters, cpu), __ATOMIC_RELAXED);
    return sum;
}

uint64_t counters_sum(const struct hit_state *state)
{
    if (!state)
        return 0;
    return __atomic_load_n(&state->hits, __ATOMIC_RELAXED) +
           sum_words(__atomic_load_n(&state->counters, __ATOMIC_ACQUIRE)) +
           sum_words(__atomic_load_n(&state->old_counters, __ATOMIC_ACQUIRE));
}

void counters_share(void)
{
    is_shared = true;
}

struct counters_place counters_place(const struct hit_state *state)
{
    const uint8_t *counters = state ? state->counters : NULL;
    const struct slab *slab = counters ? slab_of(counters) : NULL;
    if (!slab || slab->file.fd < 0)
        return (struct counters_place){.fd = -1};
    /* A descriptor that the program has closed: the file is still that of tools that have it. */
    return (struct counters_place){handle_is_ours(&slab->file) ? slab->file.fd : -1,
                                   slab->file.inode, (uint32_t)(counters - slab->pages),
                                   (uint32_t)counters_cpus + 1};
}

/*
 * Put a copy in the place of what is shared with the parent. Where none can be had, the pages stay
 * the parent's: it then counts the hits of both.
 */
static void leave_shared(struct slab *slab)
{
    struct slab own;
    void *pages = map_pages(&own, NULL);
    if (pages == MAP_FAILED)
        return;
    for (size_t i = 0; i < slab_size() / sizeof(uint64_t); i++) {
        uint64_t word = __atomic_load_n((uint64_t *)slab->pages + i, __ATOMIC_RELAXED);
        if (word) /* else: do not make a page for it */
            ((uint64_t *)pages)[i] = word;
    }
    if (mremap(pages, slab_size(), slab_size(), MREMAP_MAYMOVE | MREMAP_FIXED, slab->pages) ==
        MAP_FAILED)
        return;
    handle_close(&slab->file);
    slab->file = own.file;
}

void counters_after_fork_child(void)
{
    for (struct slab *slab = atomic_load(&slabs); slab; slab = slab->next)
        if (slab->file.fd >= 0)
            leave_shared(slab);
}
