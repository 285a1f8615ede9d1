/* SPDX-License-Identifier: BSD-2-Clause */
/* Where compilers would like to do something else than a call followed by more code. */
#include <sdt/probe.h>

int tail(int x);
void tail_void(int x);
void branch(int x);
void hoisted(int x, int y);
int answer(void);
int answer_negated(void);
void unrolled(void);
void inlined(int x);
double floating(const double *values, int count);

void tail_void(int x)
{
    SDT_PROBE(sites, tail_void, x);
}

int tail(int x)
{
    SDT_PROBE(sites, tail, x, x, x, x, x, x, x, x);
    return x;
}

void branch(int x)
{
    if (x)
        SDT_PROBE(sites, branch, x);
    else
        SDT_PROBE(sites, branch, x);
}

void hoisted(int x, int y)
{
    if (x)
        SDT_PROBE(sites, hoisted, y, 1);
    else
        SDT_PROBE(sites, hoisted, y, 1L);
}

int answer(void)
{
    return SDT_PROBE_ENABLED(sites, answer);
}

int answer_negated(void)
{
    return !SDT_PROBE_ENABLED(sites, answer);
}

void unrolled(void)
{
    for (int i = 0; i < 4; i++)
        SDT_PROBE(sites, unrolled, i);
}

static void small(int x)
{
    if (x > 3)
        SDT_PROBE(sites, small, x, (long)x);
}

void inlined(int x)
{
    small(x);
    small(x + 1);
    small(2 * x);
}

double floating(const double *values, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++) {
        sum += values[i];
        SDT_PROBE(sites, floating, sum, i);
    }
    return sum;
}
