/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_NOW_H
#define BENCH_NOW_H

#include <time.h>

/* In nanoseconds: the clock on the wall, and this thread's processor time, kernel included. */
static inline double clock_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline double now(void)
{
    return clock_of(CLOCK_MONOTONIC);
}

static inline double cpu_time(void)
{
    return clock_of(CLOCK_THREAD_CPUTIME_ID);
}

#endif
