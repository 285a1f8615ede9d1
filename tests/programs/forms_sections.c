/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes in .text.startup and in the cold part of a function, and calls of those that test_forms.py
 * puts into other sections; prints how often each was hit, .init's first.
 */
#include <sdt/runtime.h>
#include <stdio.h>

extern void __dtrace_sdt_where___startup(long);
extern void __dtrace_sdt_where___cold(long) __attribute__((cold));
void rarely(long), mine(int);

__attribute__((noinline)) int partly(int x)
{
    if (__builtin_expect(x > 100, 0)) {
        __dtrace_sdt_where___cold(x);
        fprintf(stderr, "%d\n", x); /* keeps it from being a tail call */
        return -x;
    }
    return x + 1;
}

int main(int argc, char **argv)
{
    (void)argv;
    __dtrace_sdt_where___startup(1);
    rarely(2);
    mine(argc);
    partly(argc + 200);
    printf("%ld %ld %ld %ld %ld\n", (long)sdt_hits("where:init"), (long)sdt_hits("where:startup"),
           (long)sdt_hits("where:rarely"), (long)sdt_hits("where:mine"),
           (long)sdt_hits("where:cold"));
    return 0;
}
