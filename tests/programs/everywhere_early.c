/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hits in constructors and destructors, on machines that are emulated: what was counted by then is
 * printed by the last of all. With SDT_ENABLE=early=count.
 */
#include <inttypes.h>
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdio.h>

__attribute__((constructor(101))) static void first(void)
{
    SDT_PROBE(early, first);
}

__attribute__((constructor)) static void begin(void)
{
    SDT_PROBE(early, begin);
}

__attribute__((destructor)) static void end(void)
{
    SDT_PROBE(early, end);
}

__attribute__((destructor(101))) static void print(void)
{
    printf("%" PRIu64 "\n", sdt_hits("early"));
}

int main(void)
{
    return 0;
}
