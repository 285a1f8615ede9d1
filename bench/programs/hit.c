/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hit THREADS RUNS CONSUMER MODE: what a hit of one of our probes with six arguments costs.
 * CONSUMER: off, count, empty (a handler that does nothing), six (one that reads them all), calls
 * (what `six` does, of a function that does nothing), batch (all of them by one call), record (one
 * that writes three of them with a timestamp into a ring of its thread). MODE: jump, trap. Built
 * once with call sites and once with inline sites.
 */
#include "loop.h"

#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <string.h>

LOOP(loop_probe, SDT_PROBE(hit, site, i, runs, (int)i, (short)i, (char)i, &runs))

static void empty(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
}

static void six(const struct sdt_event *event, void *data)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 6; i++)
        sum += sdt_arg(event, i);
    __asm__ volatile("" : : "r"(sum));
    (void)data;
}

/* The handler of `six` without us: what is not ours to make faster. */
static __attribute__((noipa)) uint64_t nothing(const struct sdt_event *event, unsigned index)
{
    (void)event;
    return index;
}

static void calls(const struct sdt_event *event, void *data)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 6; i++)
        sum += nothing(event, i);
    __asm__ volatile("" : : "r"(sum));
    (void)data;
}

static void batch(const struct sdt_event *event, void *data)
{
    uint64_t words[6], sum = 0;
    sdt_args(event, words, 6);
    for (unsigned i = 0; i < 6; i++)
        sum += words[i];
    __asm__ volatile("" : : "r"(sum));
    (void)data;
}

struct entry {
    uint64_t time, arguments[3];
};
enum { ENTRIES = 1 << 12 };
static __thread struct entry ring[ENTRIES];
static __thread unsigned recorded;

static void record(const struct sdt_event *event, void *data)
{
    struct entry *entry = &ring[recorded++ % ENTRIES];
    entry->time = __builtin_ia32_rdtsc();
    for (unsigned i = 0; i < 3; i++)
        entry->arguments[i] = sdt_arg(event, i);
    (void)data;
}

static int enable(const char *consumer, const char *mode)
{
    static const struct {
        const char *name;
        sdt_handler *handler;
    } consumers[] = {
        {"count", SDT_COUNT}, {"six", six}, {"calls", calls}, {"batch", batch}, {"record", record}};
    sdt_handler *handler = empty;
    for (size_t i = 0; i < sizeof consumers / sizeof *consumers; i++)
        if (strcmp(consumer, consumers[i].name) == 0)
            handler = consumers[i].handler;
    return sdt_enable_mode("hit:site", handler, NULL,
                           strcmp(mode, "trap") == 0 ? SDT_MODE_TRAP : SDT_MODE_JUMP);
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    int threads = atoi(argv[1]);
    long runs = atol(argv[2]);
    int id = strcmp(argv[3], "off") == 0 ? 0 : enable(argv[3], argv[4]);
    if (id < 0) {
        fprintf(stderr, "sdt_enable: %s\n", sdt_strerror(id));
        return 1;
    }
    loop_report("hit", loop_probe, threads, runs);
    loop_report("loop", loop_empty, threads, runs);
    if (strcmp(argv[3], "count") == 0 && sdt_hits("hit:site") != (uint64_t)LOOP_HITS(threads, runs))
        return 1;
    return 0;
}
