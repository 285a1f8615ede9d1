/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hit_instructions WHAT N: N hits of a probe with three arguments, whose address is `run`: off,
 * counted, or with a handler that does nothing. For counting instructions (instructions.py).
 */
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdlib.h>
#include <string.h>

static void nothing(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
}

static SDT_GENERAL_REGS_ONLY void nothing_general(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
}

static __attribute__((noinline)) void run(long n)
{
    for (long i = 0; i < n; i++) {
        SDT_PROBE(instructions, hit, i, n, "text");
        __asm__ volatile("" : "+r"(i));
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    int id = 1;
    if (strcmp(what, "count") == 0)
        id = sdt_enable("instructions:hit", SDT_COUNT, NULL);
    else if (strcmp(what, "handler") == 0)
        id = sdt_enable("instructions:hit", nothing, NULL);
    else if (strcmp(what, "general") == 0)
        id = sdt_enable_mode("instructions:hit", nothing_general, NULL,
                             SDT_MODE_AUTO | SDT_GENERAL_REGS);
    run(argc > 2 ? atol(argv[2]) : 0);
    return id <= 0;
}
