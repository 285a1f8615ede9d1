/* SPDX-License-Identifier: BSD-2-Clause */
/* Switches all probes on, calls everything, and prints each hit with its arguments. */
#include "lto_program.h"

#include <sdt/runtime.h>
#include <stdio.h>

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("%s", sdt_name(event));
    for (unsigned i = 0; i < sdt_nargs(event); i++)
        printf(" %ld", (long)sdt_arg(event, i));
    printf("\n");
}

/* It is never called: gone with whole-program optimisation, and its probe with it. */
int never_called(int x)
{
    MARKED(never, 1, x);
    return x + 1;
}

int main(int argc, char **argv)
{
    int numbers[4] = {argc, 2, 3, 4};
    (void)argv;
    int id = sdt_enable("lto:*", on_hit, NULL);
    if (id <= 0) {
        printf("not enabled: %s\n", sdt_strerror(id));
        return 1;
    }
    MARKED(start, 2, argc, 70000000000L);
    int total = scale(argc + 1) + scale(argc + 2);
    total += sum_of(numbers, 4);
#ifdef WITH_CXX
    total += stack_total(5);
#endif
#ifdef WITH_LIBRARY
    total += in_library(6);
#endif
    MARKED(end, 3, total);
    sdt_disable(id);
    MARKED(after, 4, total);
    printf("total %d\n", total);
    return 0;
}
