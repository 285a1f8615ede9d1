/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toggle PATTERN CYCLES THREADS: how long sdt_enable and sdt_disable take, in nanoseconds of the
 * clock on the wall: the first time in the life of the process (which reads the records, registers
 * with the kernel, maps the window), and after that. So many threads run `bench:running` meanwhile,
 * which is armed with the others if PATTERN says so.
 */
#include "now.h"

#include <pthread.h>
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_CYCLES = 1001, MAX_THREADS = 64 };

static atomic_bool stop;
static atomic_int started;

static void *run_sites(void *argument)
{
    long runs = 0;
    atomic_fetch_add(&started, 1);
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        SDT_PROBE(bench, running, runs);
        runs++;
    }
    (void)argument;
    return NULL;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(const char *name, double *samples, int count)
{
    qsort(samples, (size_t)count, sizeof *samples, compare);
    printf("%s %.0f\n%s_least %.0f\n", name, samples[count / 2], name, samples[0]);
}

/* One cycle; the times go to *enable and *disable, in nanoseconds. */
static void cycle(const char *pattern, double *enable, double *disable)
{
    double start = now();
    int id = sdt_enable(pattern, SDT_COUNT, NULL);
    *enable = now() - start;
    if (id < 0) {
        fprintf(stderr, "sdt_enable(%s): %s\n", pattern, sdt_strerror(id));
        exit(1);
    }
    start = now();
    sdt_disable(id);
    *disable = now() - start;
}

static int count_site(const struct sdt_probe_info *site, void *total)
{
    (void)site;
    ++*(long *)total;
    return 0;
}

static double enable[MAX_CYCLES], disable[MAX_CYCLES];

int main(int argc, char **argv)
{
    pthread_t thread[MAX_THREADS];
    double cold, cold_off;
    long count = 0;
    if (argc != 4)
        return 2;
    int cycles = atoi(argv[2]), threads = atoi(argv[3]);
    if (cycles < 1 || cycles > MAX_CYCLES || threads < 0 || threads > MAX_THREADS)
        return 2;
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, run_sites, NULL) != 0)
            return 1;
    while (atomic_load(&started) != threads)
        ;
    cycle(argv[1], &cold, &cold_off);
    for (int i = 0; i < cycles; i++)
        cycle(argv[1], &enable[i], &disable[i]);
    atomic_store(&stop, 1);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    sdt_foreach(argv[1], count_site, &count);
    printf("sites %ld\ncold %.0f\n", count, cold);
    report("enable", enable, cycles);
    report("disable", disable, cycles);
    return 0;
}
