/* SPDX-License-Identifier: BSD-2-Clause */
#include "lto_program.h"

int scale(int x)
{
    MARKED(scale, 5, x);
    return 3 * x;
}
