/* SPDX-License-Identifier: BSD-2-Clause */
#include "lto_program.h"

static int hidden_part(int x)
{
    MARKED(hidden, 10, x);
    return x + 1;
}

int in_library(int x)
{
    MARKED(library, 11, x);
    return hidden_part(x) + hidden_part(x + 1);
}
