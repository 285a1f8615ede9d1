// SPDX-License-Identifier: BSD-2-Clause
/* Hits of record_condition.c whose arguments are durations, of several units. */
#include <chrono>
#include <sdt/probe.h>

extern "C" void more_hits(void);

extern "C" void more_hits(void)
{
    for (int i = -2; i < 4; i++) {
        std::chrono::milliseconds wait(i * 5);
        std::chrono::microseconds rest(i * 5000 + 1);
        std::chrono::seconds long_time(i);
        std::chrono::nanoseconds moment(i);
        SDT_PROBE(web, third, wait, rest, long_time, moment);
    }
}
