/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a probe's hits are counted that no CPU's word counts: in the page after those of the CPUs,
 * or, of a probe without counters, in itself. An eye of our own on what the runtime wrote.
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

static uint64_t uncounted(const struct sdt_probe *probe)
{
    static size_t cpus;
    const char *counters = probe->counters;
    if (!cpus)
        cpus = possible_cpus();
    return counters ? __atomic_load_n((const uint64_t *)(counters + cpus * 4096), __ATOMIC_RELAXED)
                    : __atomic_load_n(&probe->hits, __ATOMIC_RELAXED);
}

#endif
