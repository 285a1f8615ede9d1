/* SPDX-License-Identifier: BSD-2-Clause */
/* Places in structures that assembly knows. ../layout.c asserts them. */
#ifndef SDT_MACHINE_LAYOUT_H
#define SDT_MACHINE_LAYOUT_H

#define EVENT_WORDS 0 /* struct sdt_event */
#define EVENT_STACK 48
#define EVENT_PATCH 56
#define EVENT_PROBE 64
#define EVENT_SITE 72
#define EVENT_REGISTERS 80
#define EVENT_SIZE 96 /* at least, and a multiple of 16 */

#define FETCH_COUNT 0 /* struct fetch */
#define FETCH_PLACE 4
#define FETCH_OPERANDS 24
#define FETCH_GET 32
#define OPERAND_VALUE 8 /* struct operand */
#define OPERAND_SIZE 16
#define FIRST_PAGES 0x10000 /* Linux maps nothing there (vm.mmap_min_addr) */

#define PROBE_HITS 8 /* struct sdt_probe */
#define PROBE_COUNTERS 40

#define MACHINE_HAS_PERCPU 1 /* pieces for restartable sequences */
#define COUNTERS_SHIFT 12    /* from a CPU's word to the next one's, counters.h */

/* What is known by the return address into an entry (<sdt/format.h>). */
#define ENTRY_JUMP (SDT_ENTRY_JUMP - SDT_ENTRY_RETURN)
#define ENTRY_RECORD (SDT_ENTRY_RECORD - SDT_ENTRY_RETURN)
#define ENTRY_PROBE (SDT_ENTRY_PROBE - SDT_ENTRY_RETURN)
#define SDT_ENTRY_RETURN 11 /* as in <sdt/format.h>, which assemblers cannot read */
#define SDT_ENTRY_JUMP 20
#define SDT_ENTRY_RECORD 24
#define SDT_ENTRY_PROBE 28

#define RING_HEAD 0 /* struct ring */
#define RING_LAST 8
#define RING_DATA 4096
#ifndef RING_TIME_BITS
#define RING_TIME_BITS 44 /* recorder/ring.h */
#endif
#define RING_FAR_SHIFT (RING_TIME_BITS - 1)
#define RINGS_FIRST 0 /* struct rings */
#define RINGS_STRIDE 8
#define RINGS_MASK 16
#define RINGS_PACKET_MASK 24
#define RINGS_CPUS 32
#define RECIPE_CLASS 16 /* struct recipe */
#define RECIPE_COUNT 24
#define RECIPE_MEMORY 25
#define RECIPE_BEHIND 26
#define RECIPE_FIXED 28
#define RECIPE_PLACE 30
#define WRITE_HEAD 0 /* struct ring_write */
#define WRITE_NEXT 8
#define WRITE_LAST 16
#define WRITE_TO 24
#define WRITE_FROM 32
#define WRITE_WORDS 40
#define FIELDS_COUNT 32 /* struct ring_fields; the same up to WRITE_TO */
#define FIELDS_PLACES 40
#define FIELDS_WORDS 48

#define REGISTERS_VECTORS 0 /* struct registers */
#define REGISTERS_VECTOR_STEP 8
#define REGISTERS_GENERAL 16
#define REGISTERS_ENTRY 144

#endif
