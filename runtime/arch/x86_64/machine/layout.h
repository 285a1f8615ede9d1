/* SPDX-License-Identifier: BSD-2-Clause */
/* Places in structures that assembly knows. runtime/hit/layout.c asserts them. */
#ifndef SDT_MACHINE_LAYOUT_H
#define SDT_MACHINE_LAYOUT_H

#include <arch/layout.h>

#define MACHINE_RECORDS_REGISTERS 1 /* ring_record_registers() */

#define EVENT_WORDS 0 /* struct sdt_event */
#define EVENT_STACK 48
#define EVENT_PATCH 56
#define EVENT_PROBE 64
#define EVENT_SITE 72
#define EVENT_REGISTERS 80
#define EVENT_SIZE 96 /* at least, and a multiple of 16 */

/* What is known by the return address into an entry (<sdt/format.h>). */
#define ENTRY_JUMP (SDT_ENTRY_JUMP - SDT_ENTRY_RETURN)
#define ENTRY_RECORD (SDT_ENTRY_RECORD - SDT_ENTRY_RETURN)
#define ENTRY_PROBE (SDT_ENTRY_PROBE - SDT_ENTRY_RETURN)
#define SDT_ENTRY_RETURN 11 /* as in <sdt/format.h>, which assemblers cannot read */
#define SDT_ENTRY_JUMP 20
#define SDT_ENTRY_RECORD 24
#define SDT_ENTRY_PROBE 28

#define REGISTERS_VECTORS 0 /* struct registers */
#define REGISTERS_VECTOR_STEP 8
#define REGISTERS_GENERAL 16
#define REGISTERS_ENTRY 144

#endif
