/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hit_lttng THREADS RUNS WHAT: an event of LTTng-UST. WHAT: one, six (fields). On or off: outside.
 */
#include "loop.h"

#include <string.h>

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "hit_lttng.h"

LOOP(loop_one, lttng_ust_tracepoint(hit, one, i))
LOOP(loop_off, lttng_ust_tracepoint(hit, off, i))
LOOP(loop_six, lttng_ust_tracepoint(hit, six, i, runs, (int)i, (short)i, (char)i, &runs))

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    loop_report("hit",
                strcmp(argv[3], "six") == 0   ? loop_six
                : strcmp(argv[3], "off") == 0 ? loop_off
                                              : loop_one,
                atoi(argv[1]), atol(argv[2]));
    loop_report("loop", loop_empty, atoi(argv[1]), atol(argv[2]));
    return 0;
}
