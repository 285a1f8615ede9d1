/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_rate RATE SECONDS: so many events with three integers a second, a hundred at a time. What
 * it is late by more than a millisecond, since the machine did something else, it does not catch up
 * with, which would be a rate of its own. Prints how many milliseconds that was in all, and its
 * processor time in seconds.
 */
#include <sdt/probe.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    double rate = atof(argv[1]), start = now(), late = 0;
    long events = (long)(rate * atof(argv[2]));
    for (long i = 0; i < events; i += 100) {
        double due = start + (double)i / rate, time = now();
        if (time - due > 1e-3) {
            late += time - due;
            start += time - due;
        }
        while (time < due)
            time = now();
        for (long k = i; k < i + 100; k++)
            SDT_PROBE(record, rate, k, (int)i, events);
    }
    printf("%.3f %.3f\n", late * 1e3, (double)clock() / CLOCKS_PER_SEC);
    return 0;
}
