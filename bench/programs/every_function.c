/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * every_function THREADS RUNS [ADDRESS]: calls of a function that a compiler's option instruments,
 * and of one that it does not. With the linked ADDRESS of work(), perf's uprobes count where it
 * begins and where it returns. And what the clock takes that a hit with a time reads.
 */
#define _GNU_SOURCE
#include "loop.h"
#include "uprobe.h"

#ifdef __clang__
#define UNTOUCHED __attribute__((noinline, no_instrument_function, xray_never_instrument))
#else
#define UNTOUCHED __attribute__((noinline, no_instrument_function))
#endif

static __attribute__((noinline)) void work(long i)
{
    __asm__ volatile("" : : "r"(i));
}

static UNTOUCHED void bare(long i)
{
    __asm__ volatile("" : : "r"(i));
}

LOOP(loop_work, work(i))
LOOP(loop_bare, bare(i))
LOOP(loop_clock, __builtin_ia32_rdtsc())

int main(int argc, char **argv)
{
    int count[2] = {-1, -1};
    if (argc < 3)
        return 2;
    for (int i = 0; argc == 4 && i < 2; i++)
        if ((count[i] = uprobe_open_as(strtoul(argv[3], NULL, 16), (uint64_t)i)) < 0) {
            perror("uprobe");
            return 1;
        }
    loop_report("hit", loop_work, atoi(argv[1]), atol(argv[2]));
    loop_report("loop", loop_bare, atoi(argv[1]), atol(argv[2]));
    loop_report("clock", loop_clock, atoi(argv[1]), atol(argv[2]));
    loop_report("empty", loop_empty, atoi(argv[1]), atol(argv[2]));
    for (int i = 0; argc == 4 && i < 2; i++) {
        uint64_t hits = 0;
        if (read(count[i], &hits, sizeof hits) != sizeof hits ||
            hits < (uint64_t)LOOP_HITS(atol(argv[1]), atol(argv[2])))
            return 1;
    }
    return 0;
}
