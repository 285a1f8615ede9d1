/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See counters.h. What the assembly wants to know is found once, when a probe is first counted: how
 * far a thread's rseq area is from its thread pointer, and for how many CPUs there are words.
 *
 * Only one library can own the area of a thread, and that is the C library; it says so by two
 * constants. They are weak here: glibc has them since 2.35, others do not, and a size of 0 means
 * that it does not register its threads (an old kernel, GLIBC_TUNABLES, another owner). Then no
 * probe ever gets counters.
 *
 * CPUs may come and go, but only those that the kernel calls possible, a set that is fixed when it
 * starts. Where that cannot be read, or is wrong (a process that was moved to a larger machine),
 * the bound in the assembly sends the others to the probe's own word.
 *
 * Slabs are made by one thread at a time, under the lock, and never go. Who frees counters does not
 * hold it, and only clears a bit, when the words are zero again.
 */
#include "counters.h"

#include <arch/layout_x86_64.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE ((size_t)1 << COUNTERS_SHIFT)
#define WORDS (PAGE / sizeof(uint64_t)) /* of one CPU in a slab */
#define MASKS (WORDS / 64)
#define MOST_CPUS 65536
#define LEAST_AREA 16 /* up to the name of a piece, and with it */

_Static_assert(offsetof(struct sdt_probe, counters) == PROBE_COUNTERS, "layout_x86_64.h");

struct slab {
    struct slab *next;
    uint8_t *pages; /* one a CPU */
    atomic_uint left;
    _Atomic uint64_t used[MASKS]; /* a bit for each word */
};

static _Atomic(struct slab *) slabs;

extern const ptrdiff_t rseq_offset __asm__("__rseq_offset") __attribute__((weak));
extern const unsigned rseq_size __asm__("__rseq_size") __attribute__((weak));

ptrdiff_t counters_area;
uint64_t counters_cpus;

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
        if (number > MOST_CPUS)
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
    return configured > 0 && configured <= MOST_CPUS ? (size_t)configured : cpus;
}

bool counters_start(void)
{
    static bool looked;
    if (!looked && &rseq_offset && &rseq_size && rseq_size >= LEAST_AREA) {
        counters_area = rseq_offset;
        counters_cpus = count_cpus();
    }
    looked = true;
    return counters_cpus != 0;
}

static struct slab *new_slab(void)
{
    struct slab *slab = calloc(1, sizeof *slab);
    void *pages = mmap(NULL, counters_cpus * PAGE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!slab || pages == MAP_FAILED) {
        if (pages != MAP_FAILED)
            munmap(pages, counters_cpus * PAGE);
        free(slab);
        return NULL;
    }
    /* A huge page would be resident for all of its CPUs, and on one of their nodes. */
    madvise(pages, counters_cpus * PAGE, MADV_NOHUGEPAGE);
    slab->pages = pages;
    atomic_init(&slab->left, WORDS);
    slab->next = atomic_load(&slabs);
    atomic_store(&slabs, slab);
    return slab;
}

/* A word that nobody uses, in the page of CPU 0; SLAB has one. */
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

void counters_make(struct sdt_probe *probe)
{
    if (probe->counters || !counters_start())
        return;
    struct slab *slab = atomic_load(&slabs);
    while (slab && atomic_load(&slab->left) == 0)
        slab = slab->next;
    if (!slab)
        slab = new_slab();
    if (slab)
        __atomic_store_n(&probe->counters, take_word(slab), __ATOMIC_RELEASE);
}

static uint64_t *word_of(void *counters, size_t cpu)
{
    return (uint64_t *)((uint8_t *)counters + cpu * PAGE);
}

void counters_free(void *counters)
{
    uint8_t *first = counters;
    if (!counters)
        return;
    for (size_t cpu = 0; cpu < counters_cpus; cpu++)
        if (*word_of(counters, cpu)) /* do not make pages to write zero in them */
            *word_of(counters, cpu) = 0;
    for (struct slab *slab = atomic_load(&slabs); slab; slab = slab->next)
        if (first >= slab->pages && first < slab->pages + PAGE) {
            size_t i = (size_t)(first - slab->pages) / sizeof(uint64_t);
            atomic_fetch_and(&slab->used[i / 64], ~(UINT64_C(1) << i % 64));
            atomic_fetch_add(&slab->left, 1); /* afterwards: who finds one finds the bit */
        }
}

uint64_t counters_sum(const struct sdt_probe *probe)
{
    uint64_t sum = __atomic_load_n(&probe->hits, __ATOMIC_RELAXED);
    void *counters = __atomic_load_n(&probe->counters, __ATOMIC_ACQUIRE);
    for (size_t cpu = 0; counters && cpu < counters_cpus; cpu++)
        sum += __atomic_load_n(word_of(counters, cpu), __ATOMIC_RELAXED);
    return sum;
}
