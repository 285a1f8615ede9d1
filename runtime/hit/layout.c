/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether assembly knows the structures of an event as they are: no code, only assertions. Those of
 * a ring are in ring/layout.c; what one machine knows of an entry, its machine.c asserts.
 */
#include <machine/layout.h>

#include "argument.h"
#include "state.h"

#include <sdt/format.h>
#include <stddef.h>

LAYOUT_IS(sdt_event, words, EVENT_WORDS);
LAYOUT_IS(sdt_event, stack, EVENT_STACK);
LAYOUT_IS(sdt_event, patch, EVENT_PATCH);
LAYOUT_IS(sdt_event, probe, EVENT_PROBE);
LAYOUT_IS(sdt_event, site, EVENT_SITE);
LAYOUT_IS(sdt_event, registers, EVENT_REGISTERS);
_Static_assert(sizeof(struct sdt_event) <= EVENT_SIZE && EVENT_SIZE % 16 == 0,
               "<machine/layout.h>");
LAYOUT_IS(registers, general, REGISTERS_GENERAL);
LAYOUT_IS(registers, vectors, REGISTERS_VECTORS);
LAYOUT_IS(registers, vector_step, REGISTERS_VECTOR_STEP);
LAYOUT_IS(registers, entry, REGISTERS_ENTRY);

LAYOUT_IS(sdt_probe, runtime, PROBE_RUNTIME);
LAYOUT_IS(hit_state, counters, STATE_COUNTERS);
LAYOUT_IS(hit_state, hits, STATE_HITS);

LAYOUT_IS(fetch, count, FETCH_COUNT);
LAYOUT_IS(fetch, place, FETCH_PLACE);
LAYOUT_IS(fetch, operands, FETCH_OPERANDS);
LAYOUT_IS(fetch, get, FETCH_GET);
LAYOUT_IS(operand, displacement, OPERAND_VALUE);
_Static_assert(sizeof(struct operand) == OPERAND_SIZE, "<machine/layout.h>");
