/* SPDX-License-Identifier: BSD-2-Clause */
/* Times sdt_enable and sdt_disable for one, a thousand, and all sites, cold and warm. */
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WARM_RUNS = 21 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int count_site(const struct sdt_probe_info *site, void *total)
{
    (void)site;
    ++*(long *)total;
    return 0;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *samples, size_t count)
{
    qsort(samples, count, sizeof *samples, compare);
    return samples[count / 2];
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

static void measure(const char *name, const char *pattern)
{
    double enable[WARM_RUNS], disable[WARM_RUNS], cold, ignored;
    long count = 0;
    sdt_foreach(pattern, count_site, &count);
    cycle(pattern, &cold, &ignored);
    for (int i = 0; i < WARM_RUNS; i++)
        cycle(pattern, &enable[i], &disable[i]);
    printf("%s_count %ld\n", name, count);
    printf("%s_cold_enable %.0f\n", name, cold);
    printf("%s_warm_enable %.0f\n", name, median(enable, WARM_RUNS));
    printf("%s_warm_disable %.0f\n", name, median(disable, WARM_RUNS));
}

int main(void)
{
    SDT_PROBE(toggle, one, 1);
    measure("one_site", "toggle:one");
    measure("1000_sites", "bench:b0_0_*"); /* 100 functions x 10 probes */
    measure("all_sites", "bench:*");
    return 0;
}
