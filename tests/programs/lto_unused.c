/* SPDX-License-Identifier: BSD-2-Clause */
/* A member that nothing needs: no linker takes it, so neither its probe nor its constructor. */
#include "lto_program.h"

#include <stdio.h>

__attribute__((constructor)) static void say(void)
{
    puts("unused member linked");
}

int unused_member(int x)
{
    MARKED(unused, 7, x);
    return x;
}
