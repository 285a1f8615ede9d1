/* SPDX-License-Identifier: BSD-2-Clause */
/* Places in structures that assembly knows. runtime/hit/layout.c asserts them. */
#ifndef SDT_MACHINE_LAYOUT_H
#define SDT_MACHINE_LAYOUT_H

#include <arch/layout.h>

#define MACHINE_RECORDS_REGISTERS 0 /* ring_record_registers() */

#define EVENT_WORDS 0 /* struct sdt_event */
#define EVENT_STACK 64
#define EVENT_PATCH 72
#define EVENT_PROBE 80
#define EVENT_SITE 88
#define EVENT_REGISTERS 96
#define EVENT_SIZE 112                     /* at least, and a multiple of 16 */
#define TRAMPOLINE_FRAME (EVENT_SIZE + 16) /* of trampoline.S: the event, s0, ra */

/* What is known by the return address into an entry (<sdt/format.h>). */
#define ENTRY_PROBE 16
#define NOTE_PROBE 12 /* of a note's */

#define REGISTERS_GENERAL 0 /* struct registers; plans keep the place of one in a byte */
#define REGISTERS_VECTORS 256
#define REGISTERS_VECTOR_STEP 264
#define REGISTERS_ENTRY 272
#define REGISTERS_SIZE 288 /* and a multiple of 16 */

#endif
