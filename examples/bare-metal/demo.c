/* SPDX-License-Identifier: BSD-2-Clause */
/* A module with probes: the kernel has it in its image as an object, as on a disk. */
#include <sdt/probe.h>

void print(const char *format, ...);
void module_start(void);
long demo_work(long number);

/* A plain call is a probe too. */
void __dtrace_sdt_demo___half(long number);

__attribute__((noinline)) long demo_work(long number)
{
    SDT_PROBE(demo, work, number);
    if (number % 2 == 0)
        __dtrace_sdt_demo___half(number / 2);
    return number + 1;
}

void module_start(void)
{
    print("demo: started, %d\n", (int)demo_work(1));
}
