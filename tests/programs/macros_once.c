/* SPDX-License-Identifier: BSD-2-Clause */
/* How often an argument is evaluated: printed by main, with and without -DSDT_DISABLE. */
#include <sdt/probe.h>

#include <stdio.h>

static int evaluations;

static int next(void)
{
    return ++evaluations;
}

static double half(void)
{
    return ++evaluations / 2.0;
}

int main(void)
{
    const char *text = "text";
    int only_for_the_probe = 1;

    SDT_PROBE(once, one, next());
    SDT_PROBE(once, three, half(), next(), text++);
    SDT_PROBE(once, mixed, only_for_the_probe, (float)half(), 1, 2, 3, 4, next(), half());
    if (SDT_PROBE_ENABLED(once, one))
        next();
    printf("%d %s\n", evaluations, text);
    return 0;
}
