/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every type of argument at probes of <sys/sdt.h>: what a handler gets is what the program has.
 * Compiled as C (-x c) and C++.
 */
#include <sdt/runtime.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/sdt.h>

#ifndef WILD
#define WILD 0
#endif

enum colour { RED, GREEN = 7, BLUE = -3 };
struct box {
    short shorts[6];
    double real;
    unsigned char byte;
};

int global_int = -123456;
static long hidden_longs[3] = {1, -2, 3};
static const char *const text = "text";

static volatile unsigned long long got[12];
static volatile double got_real[12];
static volatile unsigned got_count, hits;

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    hits = hits + 1;
    got_count = sdt_nargs(event);
    for (unsigned i = 0; i < got_count; i++) {
        got[i] = sdt_arg(event, i);
        got_real[i] = sdt_arg_double(event, i);
    }
}

static int failures;

static void expect(const char *what, unsigned count, const long long *values)
{
    if (got_count != count) {
        printf("%s: %u arguments, not %u\n", what, got_count, count);
        failures++;
    }
    for (unsigned i = 0; i < count; i++)
        if ((long long)got[i] != values[i]) {
            printf("%s: argument %u is %lld, not %lld\n", what, i, (long long)got[i], values[i]);
            failures++;
        }
    got_count = 0;
}

static void expect_real(const char *what, unsigned i, double value)
{
    if (got_real[i] != value) {
        printf("%s: argument %u is %g, not %g\n", what, i, got_real[i], value);
        failures++;
    }
}

__attribute__((noinline)) static void integers(signed char a, unsigned char b, short c,
                                               unsigned short d, int e, unsigned f, long g,
                                               unsigned long h, bool i, enum colour j)
{
    STAP_PROBE10(values, integers, a, b, c, d, e, f, g, h, i, j);
}

__attribute__((noinline)) static void twelve(long a, long b, long c, int d, int e, int f, short g,
                                             short h, char i, char j, long k, long l)
{
    STAP_PROBE12(values, twelve, a, b, c, d, e, f, g, h, i, j, k, l);
}

__attribute__((noinline)) static void reals(float a, double b, const struct box *c)
{
    STAP_PROBE3(values, reals, a, b, c->real);
}

__attribute__((noinline)) static void pointers(const struct box *p, int i)
{
    STAP_PROBE6(values, pointers, p, text, p->shorts[i], p->byte, (void *)0, &p->real);
}

__attribute__((noinline)) static void variables(int i)
{
    STAP_PROBE5(values, variables, global_int, hidden_longs[1], hidden_longs[i], 5, -6L);
}

__attribute__((noinline)) static void wild(const struct box *p)
{
    STAP_PROBE2(values, wild, p->shorts[1], p);
}

int main(void)
{
    static struct box box = {{1, -2, 3, -4, 5, -6}, 2.5, 200};
    int id = sdt_enable("values", on_hit, NULL);
    if (id < 0) {
        printf("%s\n", sdt_strerror(id));
        return 1;
    }
    integers(-1, 255, -2, 65535, -3, 4000000000u, -4, ~5ul, true, BLUE);
    const long long all[] = {-1, 255, -2, 65535, -3, 4000000000ll, -4, -6, 1, BLUE};
    /* Only our header tells the sign of an enum in C++. */
    if (got[9] == 4294967293u)
        got[9] = (unsigned long long)(long long)BLUE;
    expect("integers", 10, all);
    twelve(1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12);
    const long long dozen[] = {1, -2, 3, -4, 5, -6, 7, -8, 9, (char)-10, 11, -12};
    expect("twelve", 12, dozen);
    reals(1.25f, -3.5, &box);
    expect_real("reals", 0, 1.25);
    expect_real("reals", 1, -3.5);
    expect_real("reals", 2, 2.5);
    pointers(&box, 3);
    const long long places[] = {(long long)&box, (long long)text, -4, 200, 0, (long long)&box.real};
    expect("pointers", 6, places);
    variables(2);
    const long long known[] = {-123456, -2, 3, 5, -6};
    expect("variables", 5, known);
    hits = 0;
    if (WILD) { /* the operand is in memory: nothing was loaded */
        wild((const struct box *)16);
        if (hits != 1 || got[1] != 16 || got[0] != 0) {
            printf("wild: %llu %llu\n", got[0], got[1]);
            failures++;
        }
    }
    if (sdt_disable(id) != 0)
        failures++;
    got_count = 0;
    reals(1, 2, &box);
    if (got_count)
        failures++;
    puts(failures ? "wrong" : "ok");
    return failures != 0;
}
