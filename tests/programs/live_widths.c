/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live_widths N: hits widths:value, widths:clash and widths:kind N times each, at two sites that
 * pass integers of different widths and signs, or something else than an integer.
 */
#include <sdt/probe.h>
#include <stdint.h>
#include <stdlib.h>

static __attribute__((noinline)) void narrow(int i)
{
    int32_t number = -i;
    int64_t clash = -i;
    SDT_PROBE(widths, value, SDT_NAMED("number", number), SDT_NAMED("flag", (_Bool)(i % 2)));
    SDT_PROBE(widths, clash, SDT_NAMED("number", clash), SDT_NAMED("other", i));
    SDT_PROBE(widths, kind, SDT_NAMED("number", number), SDT_NAMED("other", i));
}

static __attribute__((noinline)) void wide(int i)
{
    uint32_t number = UINT32_MAX - (uint32_t)i;
    uint64_t clash = UINT64_MAX - (uint64_t)i;
    SDT_PROBE(widths, value, SDT_NAMED("number", number), SDT_NAMED("flag", (short)-1));
    SDT_PROBE(widths, clash, SDT_NAMED("number", clash), SDT_NAMED("other", i));
    SDT_PROBE(widths, kind, SDT_NAMED("number", i / 2.0), SDT_NAMED("other", i));
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    for (int i = 0; i < n; i++) {
        narrow(i);
        wide(i);
    }
    return 0;
}
