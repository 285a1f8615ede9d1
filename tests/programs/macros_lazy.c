/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SDT_PROBE_LAZY with 0 to 12 arguments, of which each would crash if it were evaluated now, and
 * again with a pointer that leads somewhere while a handler looks. Prints the sum of each event.
 */
#include <sdt/probe.h>
#include <stdio.h>

#if defined(WITH_RUNTIME)
#include <sdt/runtime.h>

static void on_lazy(const struct sdt_event *event, void *data)
{
    long sum = 0;
    for (unsigned i = 0; i < sdt_nargs(event); i++)
        sum += (long)sdt_arg(event, i);
    printf("%u %ld\n", sdt_nargs(event), sum);
    (void)data;
}
#endif

struct target {
    long *value;
};
static int evaluated;
#define A look(target)

static long look(const struct target *target)
{
    evaluated++;
    return *target->value;
}

__attribute__((noinline)) static void all(const struct target *target)
{
    (void)target;
    SDT_PROBE_LAZY(lazy, n0);
    SDT_PROBE_LAZY(lazy, n1, A);
    SDT_PROBE_LAZY(lazy, n2, A, A);
    SDT_PROBE_LAZY(lazy, n3, A, A, A);
    SDT_PROBE_LAZY(lazy, n4, A, A, A, A);
    SDT_PROBE_LAZY(lazy, n5, A, A, A, A, A);
    SDT_PROBE_LAZY(lazy, n6, A, A, A, A, A, A);
    SDT_PROBE_LAZY(lazy, n7, A, A, A, A, A, A, A);
    SDT_PROBE_LAZY(lazy, n8, A, A, A, A, A, A, A, A);
    SDT_PROBE_LAZY(lazy, n9, A, A, A, A, A, A, A, A, A);
    SDT_PROBE_LAZY(lazy, n10, A, A, A, A, A, A, A, A, A, A);
    SDT_PROBE_LAZY(lazy, n11, A, A, A, A, A, A, A, A, A, A, A);
    SDT_PROBE_LAZY(lazy, n12, A, A, A, A, A, A, A, A, A, A, A, A);
    if (target)
        SDT_PROBE_LAZY(lazy, branch, A);
    else
        SDT_PROBE_LAZY(lazy, other, A);
}

int main(void)
{
    long value = 7;
    struct target target = {&value};
    all(0);
    printf("%d evaluated\n", evaluated);
#if defined(WITH_RUNTIME)
    int id = sdt_enable("lazy", on_lazy, 0);
    all(&target);
    sdt_disable(id);
    printf("%d evaluated\n", evaluated);
    all(0);
#endif
    (void)target;
    return 0;
}
