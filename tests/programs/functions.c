/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * No probe in the source. Every function that a test counts adds one to its own word, by which the
 * program says at the end how often it was called: `NAME COUNT`.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

enum { LEAF, FIB, TAIL, AFTER, MIX, SUM, VALUE, JUMPER, DEEP, NAMES };
static const char *const names[] = {"leaf", "fib",   "tail",   "after", "mix",
                                    "sum",  "value", "jumper", "deep"};
static long called[NAMES];

__attribute__((no_instrument_function)) static void note(int which)
{
    __atomic_fetch_add(&called[which], 1, __ATOMIC_RELAXED);
}

static APART int leaf(int x)
{
    note(LEAF);
    return x * 3;
}

static APART long fib(int n)
{
    note(FIB);
    if (n < 2)
        return n;
    long one = fib(n - 1), two = fib(n - 2);
    __asm__ volatile("" : "+r"(two)); /* no loop instead of a call */
    return one + two;
}

static APART int after(int x)
{
    note(AFTER);
    return leaf(x) + 1;
}

APART int tail(int x)
{
    note(TAIL);
    return after(x + 1);
}

/* Every register that may pass an argument. */
static APART double mix(int a, long b, char c, short d, unsigned e, const char *f, double g,
                        float h, double i, double j, double k, double l, double m, double n, int o,
                        long double p)
{
    note(MIX);
    return a + b + c + d + e + strlen(f) + g + h + i + j + k + l + m + n + o + (double)p;
}

static APART double sum(int count, ...)
{
    double all = 0;
    va_list list;
    note(SUM);
    va_start(list, count);
    while (count-- > 0)
        all += va_arg(list, double);
    va_end(list);
    return all;
}

/* Results in each sort of register. */
struct pair {
    long a;
    double b;
};
static APART struct pair value(long a)
{
    note(VALUE);
    return (struct pair){a, (double)a / 2};
}
static APART long double extended(long a)
{
    return (long double)a + 0.25L;
}
static APART __int128 wide(long a)
{
    return (__int128)a << 65;
}

static jmp_buf jump;
static APART void deep(int n)
{
    note(DEEP);
    if (n == 0)
        longjmp(jump, 1);
    if (n > 100) /* compilers warn of what never returns */
        return;
    deep(n - 1);
    __asm__ volatile(""); /* not a tail call */
}

static APART int jumper(int n)
{
    note(JUMPER);
    if (setjmp(jump) == 0)
        deep(n);
    return n;
}

static void *work(void *data)
{
    long count = (long)data;
    for (long i = 0; i < count; i++)
        fib(3);
    return NULL;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 10;
    pthread_t threads[3];
    double total = 0;
    for (int i = 0; i < count; i++) {
        struct pair pair = value(i);
        total += leaf(i) + tail(i) + (double)fib(5) + pair.a + pair.b;
        total += mix(i, 2, 3, 4, 5, "six", 7, 8, 9, 10, 11, 12, 13, 14, 15, 16.5L);
        total += sum(3, 1.5, 2.5, (double)i) + (double)extended(i) + (double)(wide(i) >> 64);
        total += jumper(4);
    }
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)count);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("total %.3f\n", total);
    for (int i = 0; i < NAMES; i++)
        printf("%s %ld\n", names[i], called[i]);
    return 0;
}
