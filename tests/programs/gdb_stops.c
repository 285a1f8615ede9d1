/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For a debugger, on any machine: three visits of an inline site and of a call site, in functions
 * that it steps through. Prints what the visits returned, and how many hits the runtime counted.
 */
#include <sdt/probe.h>
#include <sdt/runtime.h>

#include <stdio.h>

extern void __dtrace_sdt_shop___left(unsigned long number);

static __attribute__((noinline)) int sell(int n, const char *what)
{
    int price = n + 40;
    SDT_PROBE(shop, sale, n, what);
    return price;
}

static __attribute__((noinline)) int leave(int n)
{
    int price = n + 200;
    __dtrace_sdt_shop___left((unsigned long)n);
    return price;
}

static __attribute__((noinline)) int visit(int n)
{
    int price = sell(n, "tea");
    price += leave(n);
    return price;
}

int main(void)
{
    int sum = 0;
    for (int i = 1; i <= 3; i++)
        sum += visit(i);
    printf("%d, %d hits\n", sum, (int)sdt_hits("shop:*"));
    return 0;
}
