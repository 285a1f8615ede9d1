/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live_target: a process that tools attach to while one of its threads hits a probe without pause
 * and looks at the clock each time. Each line of its input is answered by the longest time between
 * two looks since the line before, in nanoseconds: that thread was not stopped for longer.
 */
#include <pthread.h>
#include <sdt/probe.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static _Atomic uint64_t longest;

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void *work(void *unused)
{
    uint64_t before = now();
    for (long i = 0;; i++) {
        SDT_PROBE(attach, site, i);
        uint64_t after = now();
        if (after - before > atomic_load_explicit(&longest, memory_order_relaxed))
            atomic_store_explicit(&longest, after - before, memory_order_relaxed);
        before = after;
    }
    return unused;
}

int main(void)
{
    pthread_t worker;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (pthread_create(&worker, NULL, work, NULL) != 0)
        return 1;
    puts("here");
    for (int c; (c = getchar()) != EOF;)
        if (c == '\n')
            printf("%lu\n", (unsigned long)atomic_exchange(&longest, 0));
    return 0;
}
