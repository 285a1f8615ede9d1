/* SPDX-License-Identifier: BSD-2-Clause */
/* How many pages of this program's text have been written: such a page has become anonymous. */
#ifndef BENCH_TEXT_PAGES_H
#define BENCH_TEXT_PAGES_H

#include <stdio.h>
#include <string.h>

static long text_pages_written(void)
{
    extern const char __executable_start[], etext[];
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512];
    unsigned long begin, end;
    long sum = 0, value;
    int is_ours = 0;
    if (!maps)
        return -1;
    while (fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
            is_ours = begin < (unsigned long)etext && end > (unsigned long)__executable_start;
        else if (is_ours && sscanf(line, "Anonymous: %ld", &value) == 1)
            sum += value;
    }
    fclose(maps);
    return sum / 4;
}

#endif
