/* SPDX-License-Identifier: BSD-2-Clause */
/* See wishes.h: what is there without libdw as well. */
#include "wishes.h"

#include <stdlib.h>

void dwarf_free_wishes(struct dwarf_wish *wishes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(wishes[i].labels);
    free(wishes);
}
