/* SPDX-License-Identifier: BSD-2-Clause */
/* See trace.h. */
#include "trace.h"

/* The usual clock counts ns, and a division of 128 bits takes as long as all else of an event. */
int64_t trace_time(const struct trace *trace, uint64_t timestamp)
{
    enum { BILLION = 1000000000 };
    const struct trace_clock *clock = &trace->clock;
    unsigned __int128 ns = (unsigned __int128)clock->offset + timestamp;
    if (clock->frequency != BILLION)
        ns = ns * BILLION / clock->frequency;
    ns += (unsigned __int128)clock->offset_seconds * BILLION;
    int64_t time = ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
    return __builtin_add_overflow(time, trace->shift, &time) ? INT64_MAX : time;
}
