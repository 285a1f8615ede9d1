/* SPDX-License-Identifier: BSD-2-Clause */
/* Code of a kernel: every kind of site, and one that is freed after the start.
 * freestanding_kernel.c is what it is linked with. */
#include <sdt/probe.h>

void __dtrace_sdt_kernel___call(long number, const char *text);
void __dtrace_sdt_kernel___last(long number);
int __dtrace_sdtenabled_kernel___asked(void);

int work(const char *what, int number);
void last(int number);
void last_perhaps(int number);
int asked_last(void);
int begin(int number);

#define SEPARATE __attribute__((noinline))

SEPARATE int work(const char *what, int number)
{
    SDT_PROBE(kernel, work, SDT_STR(what), number);
    __dtrace_sdt_kernel___call(number, what);
    SDT_PROBE_LAZY(kernel, lazy, number * 3);
    return number * 2;
}

SEPARATE void last(int number)
{
    __dtrace_sdt_kernel___last(number);
}

/* clang -Os makes one instruction of it, a conditional jump. */
SEPARATE void last_perhaps(int number)
{
    if (number > 3)
        __dtrace_sdt_kernel___last(number);
}

SEPARATE int asked_last(void)
{
    return __dtrace_sdtenabled_kernel___asked();
}

SEPARATE __attribute__((section(".init.text"))) int begin(int number)
{
    SDT_PROBE(kernel, begin, number);
    return number + 1;
}
