/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record THREADS RUNS WHAT DIRECTORY: what recording a hit costs. WHAT: one, three, six (integers),
 * text (two, and a string of 16 bytes); clock: nothing is recorded, the time-stamp counter is read.
 * Built once with call sites and once with inline sites.
 */
#include "loop.h"

#include <sdt/probe.h>
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <string.h>

static const char text[] = "0123456789abcdef";

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
