/* SPDX-License-Identifier: BSD-2-Clause */
/* A program that a test attaches a tracer to, and detaches it from (side_by_side of uprobe.py). */
#ifndef ASKING_H
#define ASKING_H

#include <stdio.h>
#include <stdlib.h>

/* Ask the test for WHAT, "attach" or "detach", and wait until that is done. */
static inline void ask(const char *what)
{
    char line[16];
    puts(what);
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
        exit(98);
}

#endif
