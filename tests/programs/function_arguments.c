/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * No probe in the source. Every function writes a line of what it was called with and of what it
 * returns, as `sdt trace` should show it: `NAME(ARGUMENT=VALUE, …)` and `NAME = RESULT`. Arguments:
 * how often, and a file for the lines.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noinline, noclone))
#endif

enum mode { READ, WRITE = 5 };
struct small {
    int a, b;
};
struct mixed {
    long a;
    double b;
};
struct large {
    long a[4];
};
struct letters {
    char a[5];
};
struct after_one {
    char a;
    struct letters b;
};
struct after_five {
    char a[5];
    struct letters b;
};
struct after_four {
    int a;
    struct {
        int b, c, d;
    } e;
};

APART int kinds(const char *path, int8_t small, bool is_last, enum mode mode, double rate,
                float part, uint16_t port)
{
    printf("kinds(path=\"%s\", small=%d, is_last=%s, mode=%s, rate=%g, part=%g, port=%u)\n", path,
           small, is_last ? "true" : "false", mode == READ ? "READ" : "WRITE", rate, (double)part,
           port);
    printf("kinds = %d\n", small * 1000);
    return small * 1000;
}

/* More than there are registers of either sort. */
APART uint64_t many(int a, long b, short c, unsigned d, long e, long f, int g, uint64_t h, double i,
                    double j, double k, double l, double m, double n, double o, double p, double q)
{
    printf("many(a=%d, b=%ld, c=%d, d=%u, e=%ld, f=%ld, g=%d, h=%lu, i=%g", a, b, c, d, e, f, g, h,
           i);
    /* No more than eleven are shown. */
    uint64_t all = h + (uint64_t)(j + k + l + m + n + o + p + q);
    printf(", j=%g, k=%g)\nmany = %lu\n", j, k, all);
    return all;
}

/* Those by value are not shown, but take registers. */
APART long values(struct small small, int x, struct mixed mixed, double y, struct large large,
                  long z)
{
    printf("values(x=%d, y=%g, z=%ld)\n", x, y, z);
    printf("values = %ld\n", small.b + mixed.a + large.a[3]);
    return small.b + mixed.a + large.a[3];
}

/* Those in structures count as if they stood there without: one register, two, and two. */
APART int nested(struct after_one one, int x, struct after_five five, int y)
{
    printf("nested(x=%d, y=%d)\nnested = %d\n", x, y, one.a + five.a[0]);
    return one.a + five.a[0];
}
APART int spread(struct after_four four, int x)
{
    printf("spread(x=%d)\nspread = %d\n", x, four.e.d);
    return four.e.d;
}

/* The caller says where the result goes, before all arguments. */
APART struct large make(int n)
{
    printf("make(n=%d)\nmake returns\n", n);
    return (struct large){{n, n, n, n}};
}
APART struct mixed pair(int n)
{
    printf("pair(n=%d)\npair returns\n", n);
    return (struct mixed){n, n};
}

APART double half(int n)
{
    printf("half(n=%d)\nhalf = %g\n", n, n / 2.0);
    return n / 2.0;
}
APART float third(float x)
{
    printf("third(x=%g)\nthird = %g\n", (double)x, (double)(x / 4));
    return x / 4;
}
APART const char *word(bool is_odd)
{
    const char *text = is_odd ? "odd" : "even";
    printf("word(is_odd=%s)\nword = \"%s\"\n", is_odd ? "true" : "false", text);
    return text;
}
APART long double precise(long double x, int n)
{
    printf("precise(n=%d)\nprecise returns\n", n);
    return x;
}
APART __int128 wide(__int128 x, int n)
{
    printf("wide(n=%d)\nwide returns\n", n);
    return x;
}
APART void nothing(void)
{
    printf("nothing()\nnothing returns\n");
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 3;
    if (argc > 2 && !freopen(argv[2], "w", stdout))
        return 1;
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    for (int i = 0; i < count; i++) {
        kinds(i % 2 ? "/x" : "/index", (int8_t)(i - 2), i == 2, i % 2 ? WRITE : READ, i + 0.5,
              (float)i + 0.25F, (uint16_t)(65534 + i));
        many(-i, -1L << 40, (short)-i, ~0U, 5, 6, -7, UINT64_MAX / 2, 0.5, 1, 2, 3, 4, 5, 6, 7, 8);
        values((struct small){i, 2}, i, (struct mixed){i, 2}, i * 0.5, (struct large){{1, 2, 3, i}},
               i + 1);
        nested((struct after_one){(char)i, {"abcd"}}, i, (struct after_five){"abcd", {"efgh"}}, -i);
        spread((struct after_four){1, {2, 3, i}}, i + 5);
        make(i);
        pair(i);
        half(i);
        third((float)i);
        word(i % 2);
        precise(1.5L, i);
        wide(7, i);
        nothing();
    }
    return 0;
}
