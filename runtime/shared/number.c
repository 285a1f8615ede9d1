/* SPDX-License-Identifier: BSD-2-Clause */
/* See number.h: no extensions are asked for here. */
#include "number.h"

#include <stdlib.h>

uint64_t number_read(const char *text, char **end, int base)
{
    return strtoull(text, end, base);
}
