/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a probe's hits are counted that no CPU's word counts: in the page after those of the CPUs,
 * or, of a probe without counters, in its state. An eye of our own on what the runtime wrote.
 */
#ifndef RT_UNCOUNTED_H
#define RT_UNCOUNTED_H

#include <ctype.h>
#include <sdt/format.h>
#include <stdio.h>
#include <stdlib.h>

/* The highest number in /sys/…/possible, as `0-3,8`, and 1. */
static size_t possible_cpus(void)
{
    char line[4096] = "";
    size_t highest = 0;
    FILE *file = fopen("/sys/devices/system/cpu/possible", "r");
    if (!file || !fgets(line, sizeof line, file))
        abort();
    fclose(file);
    for (char *at = line; *at; at++)
        if (isdigit((unsigned char)*at)) {
            size_t number = strtoul(at, &at, 10);
            highest = number > highest ? number : highest;
            at--;
        }
    return highest + 1;
}

/* What sdt_probe.runtime leads to begins with. */
struct seen_state {
    const char *counters;
    uint64_t hits;
};

static const char *counters_of(const struct sdt_probe *probe)
{
    return ((const struct seen_state *)probe->runtime)->counters;
}

static uint64_t uncounted(const struct sdt_probe *probe)
{
    static size_t cpus;
    const struct seen_state *state = probe->runtime;
    if (!cpus)
        cpus = possible_cpus();
    if (!state->counters)
        return __atomic_load_n(&state->hits, __ATOMIC_RELAXED);
    return __atomic_load_n((const uint64_t *)(state->counters + cpus * 4096), __ATOMIC_RELAXED);
}

#endif
