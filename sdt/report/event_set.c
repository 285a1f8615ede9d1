/* SPDX-License-Identifier: BSD-2-Clause */
#include "event_set.h"

#include "base/memory.h"

#include <stdlib.h>

static void grow(struct event_set *set, uint64_t byte)
{
    uint64_t size = set->size ? set->size : 4096;
    while (size <= byte)
        size *= 2;
    set->bits = memory_resize(set->bits, size, 1);
    memset(set->bits + set->size, 0, size - set->size);
    set->size = size;
}

void event_set_add(struct event_set *set, uint64_t number)
{
    if (number / 8 >= set->size)
        grow(set, number / 8);
    set->bits[number / 8] |= (uint8_t)(1u << number % 8);
}

void event_set_free(struct event_set *set)
{
    free(set->bits);
    *set = (struct event_set){0};
}
