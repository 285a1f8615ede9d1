/* SPDX-License-Identifier: BSD-2-Clause */
/* See now.h. */
#include "now.h"

#include <time.h>

static int64_t read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

int64_t now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t now_epoch(void)
{
    return read_clock(CLOCK_REALTIME);
}
