/* SPDX-License-Identifier: BSD-2-Clause */
/* A program to be traced whose probe has names for values; it ends with its input. */
#include <sdt/probe.h>
#include <stdio.h>

enum state { IDLE, IN_USE = -1 };
SDT_ENUM_NAMES(live, work, state, {IDLE, "idle"}, {IN_USE, "in use"});

int main(void)
{
    enum state state = IN_USE;
    puts("here");
    fflush(stdout);
    while (getchar() != EOF)
        SDT_PROBE(live, work, state);
    return 0;
}
