/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether assembly knows rings and recipes as they are: no code, only assertions. */
#include <machine/layout.h>

#include "hit.h"

#include <stddef.h>

#define IS(structure, field, place)                                                                \
    _Static_assert(offsetof(struct structure, field) == (place), "<arch/layout.h>")

IS(ring, head, RING_HEAD);
IS(ring, last, RING_LAST);
IS(ring, data, RING_DATA);
IS(rings, first, RINGS_FIRST);
IS(rings, stride, RINGS_STRIDE);
IS(rings, mask, RINGS_MASK);
IS(rings, packet_mask, RINGS_PACKET_MASK);
IS(rings, cpus, RINGS_CPUS);
IS(recipe, class, RECIPE_CLASS);
IS(recipe, count, RECIPE_COUNT);
IS(recipe, memory, RECIPE_MEMORY);
IS(recipe, behind, RECIPE_BEHIND);
IS(recipe, fixed, RECIPE_FIXED);
IS(recipe, place, RECIPE_PLACE);
IS(ring_write, head, WRITE_HEAD);
IS(ring_write, next, WRITE_NEXT);
IS(ring_write, last, WRITE_LAST);
IS(ring_write, to, WRITE_TO);
IS(ring_write, from, WRITE_FROM);
IS(ring_write, words, WRITE_WORDS);
IS(ring_fields, head, WRITE_HEAD);
IS(ring_fields, next, WRITE_NEXT);
IS(ring_fields, last, WRITE_LAST);
IS(ring_fields, to, WRITE_TO);
IS(ring_fields, count, FIELDS_COUNT);
IS(ring_fields, places, FIELDS_PLACES);
IS(ring_fields, words, FIELDS_WORDS);
