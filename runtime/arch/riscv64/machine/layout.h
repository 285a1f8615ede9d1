/* SPDX-License-Identifier: BSD-2-Clause */
/* Places in structures that assembly knows. ../layout.c asserts them. */
#ifndef SDT_MACHINE_LAYOUT_H
#define SDT_MACHINE_LAYOUT_H

#define EVENT_WORDS 0 /* struct sdt_event */
#define EVENT_STACK 64
#define EVENT_PATCH 72
#define EVENT_PROBE 80
#define EVENT_SITE 88
#define EVENT_REGISTERS 96
#define EVENT_SIZE 112                     /* at least, and a multiple of 16 */
#define TRAMPOLINE_FRAME (EVENT_SIZE + 16) /* of trampoline.S: the event, s0, ra */

#define PROBE_HITS 8 /* struct sdt_probe */
#define PROBE_COUNTERS 40

/* What is known by the return address into an entry (<sdt/format.h>). */
#define ENTRY_PROBE 16
#define NOTE_PROBE 12 /* of a note's */

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

#define REGISTERS_GENERAL 0 /* struct registers; plans keep the place of one in a byte */
#define REGISTERS_VECTORS 256
#define REGISTERS_VECTOR_STEP 264
#define REGISTERS_ENTRY 272
#define REGISTERS_SIZE 288 /* and a multiple of 16 */

#define FIRST_PAGES 0x10000  /* Linux maps nothing there (vm.mmap_min_addr) */
#define MACHINE_HAS_PERCPU 1 /* pieces for restartable sequences */
#define COUNTERS_SHIFT 12    /* from a CPU's word to the next one's, counters.h */

#endif
