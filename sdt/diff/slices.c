/* SPDX-License-Identifier: BSD-2-Clause */
#include "slices.h"

#include <stddef.h>

bool slices_have(const struct slices *slices, int64_t time)
{
    return slices->width && time / slices->width < SLICES;
}

void slices_widen(struct slices *slices)
{
    slices->width = slices->width ? 2 * slices->width : FIRST_SLICE;
}

void slices_join(uint32_t counts[SLICES])
{
    for (size_t i = 0; i < SLICES / 2; i++)
        counts[i] = counts[2 * i] + counts[2 * i + 1];
    for (size_t i = SLICES / 2; i < SLICES; i++)
        counts[i] = 0;
}

unsigned slices_count(const struct slices *slices)
{
    return slices->width ? (unsigned)(slices->time / slices->width) : 0;
}
