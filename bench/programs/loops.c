/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loops RUNS: two loops that a compiler keeps in registers, one of integers and one of floating
 * point, with a probe in each that is off. What a probe costs here is what it costs the code around
 * it: registers that a call would clobber, arguments that are moved in vain.
 */
#include "now.h"
#include "scheme.h"

#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) unsigned long integers(const unsigned *data, long runs)
{
    unsigned long a = 1, b = 2, c = 3;
    for (long i = 0; i < runs; i++) {
        a += data[i & 1023];
        b ^= a << 7;
        c = c * 5 + b;
        PROBE(i, (int)i, data);
    }
    return a ^ b ^ c;
}

static __attribute__((noinline)) double floats(const double *data, long runs)
{
    double a = 1, b = 2, c = 3, d = 4;
    for (long i = 0; i < runs; i++) {
        a += data[i & 1023];
        b = b * 0.5 + a;
        c = c * 0.25 + data[(i + 7) & 1023];
        d = d * 0.125 + c;
        PROBE(i, (int)i, data);
    }
    return a + b + c + d;
}

static unsigned whole[1024];
static double real[1024];
static volatile double sink;

int main(int argc, char **argv)
{
    long runs = argc > 1 ? atol(argv[1]) : 1000000;
    for (unsigned i = 0; i < 1024; i++)
        real[i] = whole[i] = i * 2654435761u;
    integers(whole, runs / 10);
    floats(real, runs / 10);
    double start = cpu_time();
    sink = (double)integers(whole, runs);
    double middle = cpu_time();
    sink = floats(real, runs);
    printf("integer %.4f\n", (middle - start) / (double)runs);
    printf("float %.4f\n", (cpu_time() - middle) / (double)runs);
    return 0;
}
