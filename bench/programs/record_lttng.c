/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_lttng THREADS RUNS WHAT: the events of record.c with LTTng-UST; WHAT may end in _told: the
 * channel has the context that ours always has, process and thread. On or off: outside.
 */
#include "loop.h"

#include <string.h>

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "record_lttng.h"

static const char text[] = "0123456789abcdef";
static const int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};

#define LOOPS(suffix)                                                                              \
    LOOP(loop_one##suffix, lttng_ust_tracepoint(record, one##suffix, i))                           \
    LOOP(loop_three##suffix, lttng_ust_tracepoint(record, three##suffix, i, (int)i, runs))         \
    LOOP(loop_six##suffix,                                                                         \
         lttng_ust_tracepoint(record, six##suffix, i, (int)i, runs, (short)i, (char)i, &runs))     \
    LOOP(loop_text##suffix, lttng_ust_tracepoint(record, text##suffix, i, text, (int)i))           \
    LOOP(loop_array##suffix, lttng_ust_tracepoint(record, array##suffix, i, numbers, 8))
LOOPS()
LOOPS(_told)

static const struct {
    const char *name;
    void (*loop)(long);
} loops[] = {{"one", loop_one},           {"three", loop_three},
             {"six", loop_six},           {"text", loop_text},
             {"array", loop_array},       {"array_told", loop_array_told},
             {"one_told", loop_one_told}, {"three_told", loop_three_told},
             {"six_told", loop_six_told}, {"text_told", loop_text_told}};

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (strcmp(argv[3], loops[i].name) == 0)
            loop_report("hit", loops[i].loop, atoi(argv[1]), atol(argv[2]));
    loop_report("loop", loop_empty, atoi(argv[1]), atol(argv[2]));
    return 0;
}
