/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls, tail calls and questions, as compilers make them from plain declarations. What it prints
 * does not depend on the probes. With -DCONTROL, the file that defines the symbols as functions.
 */
#if defined(CONTROL)
void __dtrace_sdt_src___call(long x);
void __dtrace_sdt_src___tail(long x);
void __dtrace_sdt_src___conditional(long x);
int __dtrace_sdtenabled_src___call(void);
void __dtrace_sdt_src___call(long x)
{
    (void)x;
}
void __dtrace_sdt_src___tail(long x)
{
    (void)x;
}
void __dtrace_sdt_src___conditional(long x)
{
    (void)x;
}
int __dtrace_sdtenabled_src___call(void)
{
    return 0;
}
#else
#include <stdio.h>

extern void __dtrace_sdt_src___call(long x), __dtrace_sdt_src___tail(long x);
extern void __dtrace_sdt_src___conditional(long x);
extern int __dtrace_sdtenabled_src___call(void);
static long sum;

static __attribute__((noinline)) long calls(long x)
{
    __dtrace_sdt_src___call(x);
    sum += x;
    return sum;
}

static __attribute__((noinline)) void tails(long x)
{
    sum += 2 * x;
    __dtrace_sdt_src___tail(x);
}

static __attribute__((noinline)) void conditional(long x)
{
    if (x > 5) {
        __dtrace_sdt_src___conditional(x);
        return;
    }
    sum += 3 * x;
}

static __attribute__((noinline)) int asks(void)
{
    return __dtrace_sdtenabled_src___call() ? 7 : 3;
}

static __attribute__((noinline)) int answers(void)
{
    return __dtrace_sdtenabled_src___call();
}

int main(void)
{
    long answer = 0;
    for (long x = 0; x < 10; x++) {
        answer = answer * 3 + calls(x);
        tails(x);
        conditional(x);
        answer += asks() + answers();
    }
    printf("%ld %ld\n", sum, answer);
    return 0;
}
#endif
