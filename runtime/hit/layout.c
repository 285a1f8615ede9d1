/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether assembly knows the structures of an event as they are: no code, only assertions. Those of
 * a ring are in ring/layout.c; what one machine knows of an entry, its machine.c asserts.
 */
#include <machine/layout.h>

#include "argument.h"

#include <sdt/format.h>
#include <stddef.h>

#define IS(structure, field, place)                                                                \
    _Static_assert(offsetof(struct structure, field) == (place), "<machine/layout.h>")

IS(sdt_event, words, EVENT_WORDS);
IS(sdt_event, stack, EVENT_STACK);
IS(sdt_event, patch, EVENT_PATCH);
IS(sdt_event, probe, EVENT_PROBE);
IS(sdt_event, site, EVENT_SITE);
IS(sdt_event, registers, EVENT_REGISTERS);
_Static_assert(sizeof(struct sdt_event) <= EVENT_SIZE && EVENT_SIZE % 16 == 0,
               "<machine/layout.h>");
IS(registers, general, REGISTERS_GENERAL);
IS(registers, vectors, REGISTERS_VECTORS);
IS(registers, vector_step, REGISTERS_VECTOR_STEP);
IS(registers, entry, REGISTERS_ENTRY);

IS(sdt_probe, hits, PROBE_HITS);
IS(sdt_probe, counters, PROBE_COUNTERS);

IS(fetch, count, FETCH_COUNT);
IS(fetch, place, FETCH_PLACE);
IS(fetch, operands, FETCH_OPERANDS);
IS(fetch, get, FETCH_GET);
IS(operand, displacement, OPERAND_VALUE);
_Static_assert(sizeof(struct operand) == OPERAND_SIZE, "<machine/layout.h>");
