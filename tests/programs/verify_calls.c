/* SPDX-License-Identifier: BSD-2-Clause */
/* Every kind of site this version makes: macros, plain calls, tail calls, is-enabled. */
#define SDT_CALL_SITES
#include <sdt/probe.h>
#include <stdint.h>
#include <stdio.h>

extern void __dtrace_sdt_demo___plain(uint64_t a, uint64_t b);
extern int __dtrace_sdtenabled_demo___plain(void);

/* A call whose address is kept: it stays callable. */
void (*taken)(uint64_t, uint64_t) = __dtrace_sdt_demo___plain;

__attribute__((noinline)) void tail(uint64_t a, uint64_t b)
{
    __dtrace_sdt_demo___plain(a + 1, b);
}

__attribute__((noinline)) int ask(void)
{
    return __dtrace_sdtenabled_demo___plain();
}

static __attribute__((noinline)) int work(int n, const char *name, double weight)
{
    SDT_PROBE(demo, work__start, n, name, weight);
    if (SDT_PROBE_ENABLED(demo, work__done))
        SDT_PROBE(demo, work__done, n * 2);
    return n + 1;
}

int vf_run(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += work(i, "x", 1.5 * n);
    tail((uint64_t)sum, 2);
    SDT_PROBE(demo, end);
    return sum + ask();
}

#ifndef VF_NO_MAIN
int main(void)
{
    printf("%d\n", vf_run(3));
    return 0;
}
#endif
