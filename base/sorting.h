/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sorting what is mostly sorted already: compilers and assemblers write in order, but need not.
 */
#ifndef SDT_BASE_SORTING_H
#define SDT_BASE_SORTING_H

#include <stdlib.h>

/* As qsort(), which takes ten times as long to find that everything is sorted already. */
static inline void sort_unsorted(void *items, size_t count, size_t size,
                                 int (*compare)(const void *, const void *))
{
    const char *item = items;
    for (size_t i = 1; i < count; i++, item += size)
        if (compare(item, item + size) > 0) {
            qsort(items, count, size, compare);
            return;
        }
}

#endif
