/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether assembly knows the structures as they are: no code, only assertions. */
#include <machine/layout.h>

#include "event.h"
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
_Static_assert(sizeof(struct sdt_event) <= EVENT_SIZE && EVENT_SIZE % 16 == 0, "machine/layout.h");
IS(registers, vectors, REGISTERS_VECTORS);
IS(registers, vector_step, REGISTERS_VECTOR_STEP);
IS(registers, general, REGISTERS_GENERAL);
IS(registers, entry, REGISTERS_ENTRY);
_Static_assert(REGISTERS_GENERAL + 31 * sizeof(uint64_t) <= UINT8_MAX, "argument.h, place");
_Static_assert(sizeof(struct registers) <= REGISTERS_SIZE && REGISTERS_SIZE % 16 == 0,
               "machine/layout.h");
_Static_assert(SITE_ENTRY_RETURN + ENTRY_PROBE == SDT_ENTRY_PROBE, "machine/layout.h");
_Static_assert(SDT_RISCV64_NOTE_ENTRY_AFTER + NOTE_PROBE == SDT_ENTRY_PROBE, "machine/layout.h");
IS(sdt_probe, hits, PROBE_HITS);
IS(sdt_probe, counters, PROBE_COUNTERS);

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
