/* SPDX-License-Identifier: BSD-2-Clause */
/* Assertions that assembly uses the structures' real layout; no code. */
#include <machine/layout.h>

#include "argument.h"
#include "recorder/hit.h"

#include <sdt/format.h>
#include <stddef.h>

#define IS(structure, field, place)                                                                \
    _Static_assert(offsetof(struct structure, field) == (place), "machine/layout.h")

IS(sdt_event, words, EVENT_WORDS);
IS(sdt_event, stack, EVENT_STACK);
IS(sdt_event, patch, EVENT_PATCH);
IS(sdt_event, record, EVENT_PROBE);
IS(sdt_event, site, EVENT_SITE);
IS(sdt_event, registers, EVENT_REGISTERS);
_Static_assert(sizeof(struct sdt_event) <= EVENT_SIZE, "machine/layout.h");
IS(registers, general, REGISTERS_GENERAL);
IS(registers, vectors, REGISTERS_VECTORS);
IS(registers, vector_step, REGISTERS_VECTOR_STEP);
IS(registers, entry, REGISTERS_ENTRY);
_Static_assert(SDT_ENTRY_RETURN + ENTRY_JUMP == 20, "machine/layout.h");
IS(sdt_probe, hits, PROBE_HITS);

IS(sdt_probe, counters, PROBE_COUNTERS);

IS(fetch, count, FETCH_COUNT);
IS(fetch, place, FETCH_PLACE);
IS(fetch, operands, FETCH_OPERANDS);
IS(fetch, get, FETCH_GET);
_Static_assert(sizeof(struct operand) == OPERAND_SIZE, "machine/layout.h");
IS(operand, displacement, OPERAND_VALUE);

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
