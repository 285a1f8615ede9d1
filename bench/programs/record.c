/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record THREADS RUNS WHAT DIRECTORY: what recording a hit costs. WHAT: one, three, six (integers),
 * text (two, and a string of 16 bytes), array (an integer, and 8 of 32 bits); event, event_text and
 * event_array: the same as three, text and array, as typed events, which are filled in; clock:
 * nothing is recorded, the time-stamp counter is read.
 * Built once with call sites and once with inline sites.
 */
#include "loop.h"

#include <sdt/event.h>
#include <sdt/probe.h>
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <string.h>

static const char text[] = "0123456789abcdef";

static const int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};

SDT_EVENT(record, event, SDT_FIELD(long, a), SDT_FIELD(int, b), SDT_FIELD(long, c));
SDT_EVENT(record, event_text, SDT_FIELD(long, a), SDT_FIELD_TEXT(b, 20), SDT_FIELD(int, c));
SDT_EVENT(record, event_array, SDT_FIELD(long, a), SDT_FIELD_ARRAY(int, b, 8));

static inline void commit(long i, long runs)
{
    SDT_RESERVE(record, event, e);
    if (!e)
        return;
    e->a = i;
    e->b = (int)i;
    e->c = runs;
    SDT_COMMIT(record, event, e);
}

static inline void commit_text(long i)
{
    SDT_RESERVE(record, event_text, e);
    if (!e)
        return;
    e->a = i;
    memcpy(e->b, text, sizeof text);
    e->c = (int)i;
    SDT_COMMIT(record, event_text, e);
}

static inline void commit_array(long i)
{
    SDT_RESERVE(record, event_array, e);
    if (!e)
        return;
    e->a = i;
    memcpy(e->b, numbers, sizeof numbers);
    e->b_length = 8;
    SDT_COMMIT(record, event_array, e);
}

LOOP(loop_event, commit(i, runs))
LOOP(loop_event_text, commit_text(i))
LOOP(loop_event_array, commit_array(i))
LOOP(loop_array, SDT_PROBE(record, array, i, SDT_ARRAY(numbers, 8)))
LOOP(loop_one, SDT_PROBE(record, one, i))
LOOP(loop_three, SDT_PROBE(record, three, i, (int)i, runs))
LOOP(loop_six, SDT_PROBE(record, six, i, (int)i, runs, (short)i, (char)i, &runs))
LOOP(loop_text, SDT_PROBE(record, text, i, text, (int)i))
LOOP(loop_clock, __builtin_ia32_rdtsc())

static const struct {
    const char *name;
    void (*loop)(long);
} loops[] = {{"one", loop_one},
             {"three", loop_three},
             {"six", loop_six},
             {"text", loop_text},
             {"array", loop_array},
             {"event", loop_event},
             {"event_text", loop_event_text},
             {"event_array", loop_event_array},
             {"clock", loop_clock}};

int main(int argc, char **argv)
{
    /* Of 8 MiB a CPU: more than caches next to the CPU hold, as in use. */
    struct sdt_record_options options = {
        .size = sizeof options, .flags = SDT_RECORD_FLIGHT, .ring_size = 8u << 20};
    struct sdt_recorder *recorder;
    if (argc != 5)
        return 2;
    int error = sdt_record_create(argv[4], &options, &recorder);
    if (!error)
        error = sdt_record_add(recorder, "record:*");
    if (error) {
        fprintf(stderr, "sdt_record: %s\n", sdt_strerror(error));
        return 1;
    }
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (strcmp(argv[3], loops[i].name) == 0)
            loop_report("hit", loops[i].loop, atoi(argv[1]), atol(argv[2]));
    sdt_record_stop(recorder);
    loop_report("loop", loop_empty, atoi(argv[1]), atol(argv[2]));
    struct sdt_record_stats stats = {.size = sizeof stats};
    error = sdt_record_stats(recorder, &stats);
    return error || stats.lost;
}
