/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Enumerations that only the debug information knows: `doors N` on standard input opens and shuts
 * doors N times. An argument of doors:odd is an enumeration at one of its sites and a number at the
 * other.
 */
#include <sdt/probe.h>
#include <stdio.h>
#include <stdlib.h>

enum door { SHUT, OPEN = 5, AJAR = -1 };

static __attribute__((noinline)) void push(enum door door, long n)
{
    SDT_PROBE(doors, begin, door, n);
    SDT_PROBE(doors, odd, door);
    SDT_PROBE(doors, end, door, n);
}

static __attribute__((noinline)) void number(int door)
{
    SDT_PROBE(doors, odd, door);
}

static __attribute__((noinline)) void again(enum door door, const char *sign, size_t letters)
{
    SDT_PROBE(doors, begin, door, SDT_NAMED("n", (long)letters));
    SDT_PROBE(doors, sign, door, SDT_TEXT(sign, letters));
}

int main(void)
{
    static const enum door doors[] = {SHUT, OPEN, AJAR};
    char line[64];
    puts("here");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        for (long i = 0; i < atol(line + 6); i++) {
            push(doors[i % 3], i);
            number((int)i);
            again(doors[i % 2], "open at nine", (size_t)(i % 12));
        }
        puts("ok");
        fflush(stdout);
    }
    return 0;
}
