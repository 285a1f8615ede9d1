/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether assembly knows rings and recipes as they are: no code, only assertions. */
#include <machine/layout.h>

#include "hit.h"

#include <stddef.h>

LAYOUT_IS(ring, head, RING_HEAD);
LAYOUT_IS(ring, last, RING_LAST);
LAYOUT_IS(ring, data, RING_DATA);
LAYOUT_IS(rings, first, RINGS_FIRST);
LAYOUT_IS(rings, stride, RINGS_STRIDE);
LAYOUT_IS(rings, mask, RINGS_MASK);
LAYOUT_IS(rings, packet_mask, RINGS_PACKET_MASK);
LAYOUT_IS(rings, cpus, RINGS_CPUS);
LAYOUT_IS(recipe, class, RECIPE_CLASS);
LAYOUT_IS(recipe, count, RECIPE_COUNT);
LAYOUT_IS(recipe, memory, RECIPE_MEMORY);
LAYOUT_IS(recipe, after, RECIPE_AFTER);
LAYOUT_IS(recipe, fixed, RECIPE_FIXED);
LAYOUT_IS(recipe, place, RECIPE_PLACE);
LAYOUT_IS(recipe, from, RECIPE_FROM);
LAYOUT_IS(ring_write, head, WRITE_HEAD);
LAYOUT_IS(ring_write, next, WRITE_NEXT);
LAYOUT_IS(ring_write, last, WRITE_LAST);
LAYOUT_IS(ring_write, to, WRITE_TO);
LAYOUT_IS(ring_write, from, WRITE_FROM);
LAYOUT_IS(ring_write, words, WRITE_WORDS);
LAYOUT_IS(ring_fields, head, WRITE_HEAD);
LAYOUT_IS(ring_fields, next, WRITE_NEXT);
LAYOUT_IS(ring_fields, last, WRITE_LAST);
LAYOUT_IS(ring_fields, to, WRITE_TO);
LAYOUT_IS(ring_fields, count, FIELDS_COUNT);
LAYOUT_IS(ring_fields, places, FIELDS_PLACES);
LAYOUT_IS(ring_fields, words, FIELDS_WORDS);
