/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places in structures that the assembly of every machine knows, and that are the same on each.
 * <machine/layout.h> includes this, and adds what differs. Who has the structures asserts the
 * places: runtime/hit/layout.c and runtime/ring/layout.c.
 */
#ifndef SDT_ARCH_LAYOUT_H
#define SDT_ARCH_LAYOUT_H

#define FIRST_PAGES 0x10000  /* Linux maps nothing there (vm.mmap_min_addr) */
#define MACHINE_HAS_PERCPU 1 /* pieces for restartable sequences */
#define COUNTERS_SHIFT 12    /* from a CPU's word to the next one's, counters.h */

#define PROBE_RUNTIME 8  /* struct sdt_probe */
#define STATE_COUNTERS 0 /* struct hit_state */
#define STATE_HITS 8

#define FETCH_COUNT 0 /* struct fetch */
#define FETCH_PLACE 4
#define FETCH_OPERANDS (16 + __SIZEOF_POINTER__)
#define FETCH_GET (16 + 2 * __SIZEOF_POINTER__)
#define OPERAND_VALUE 8 /* struct operand */
#define OPERAND_SIZE 16

#define RING_HEAD 0 /* struct ring */
#define RING_LAST 8
#define RING_DATA 4096
#define RING_TIME_BITS 44 /* the same in ring/ring.h */
#define RING_FAR_SHIFT (RING_TIME_BITS - 1)
#define RINGS_FIRST 0 /* struct rings */
#define RINGS_STRIDE 8
#define RINGS_MASK 16
#define RINGS_PACKET_MASK 24
#define RINGS_CPUS 32
#define RECIPE_CLASS 16 /* struct recipe */
#define RECIPE_COUNT 24
#define RECIPE_MEMORY 25
#define RECIPE_AFTER 26
#define RECIPE_FIXED 28
#define RECIPE_PLACE 30
#define RECIPE_FROM 56
#define WRITE_HEAD 0 /* struct ring_write */
#define WRITE_NEXT 8
#define WRITE_LAST 16
#define WRITE_TO 24
#define WRITE_FROM 32
#define WRITE_WORDS 40
#define FIELDS_COUNT 32 /* struct ring_fields; the same up to WRITE_TO */
#define FIELDS_PLACES 40
#define FIELDS_WORDS 48

#ifndef __ASSEMBLER__
/* Assert, in C, that FIELD of struct STRUCTURE is at PLACE; with <stddef.h>. */
#define LAYOUT_IS(structure, field, place)                                                         \
    _Static_assert(offsetof(struct structure, field) == (place), "<machine/layout.h>")
#endif

#endif
