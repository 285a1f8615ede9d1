/* SPDX-License-Identifier: BSD-2-Clause */
/* Places in structures that assembly knows. runtime/hit/layout.c asserts them. */
#ifndef SDT_MACHINE_LAYOUT_H
#define SDT_MACHINE_LAYOUT_H

#include <arch/layout.h>

#undef MACHINE_HAS_PERCPU
#define MACHINE_HAS_PERCPU 0 /* no single instruction adds to 64 bits */

#define EVENT_WORDS 0 /* struct sdt_event */
#define EVENT_STACK 0
#define EVENT_PATCH 4
#define EVENT_PROBE 8
#define EVENT_SITE 12
#define EVENT_REGISTERS 16
#define EVENT_SIZE 32 /* at least, and a multiple of 16 */

#define REGISTERS_VECTORS 0 /* struct registers */
#define REGISTERS_VECTOR_STEP 4
#define REGISTERS_GENERAL 8
#define REGISTERS_ENTRY 40

#endif
