/* SPDX-License-Identifier: BSD-2-Clause */
/* Places in structures that assembly knows. unwind.c and counters.c assert them. */
#ifndef SDT_ARCH_LAYOUT_H
#define SDT_ARCH_LAYOUT_H

#define EVENT_WORDS 0 /* struct sdt_event */
#define EVENT_STACK 48
#define EVENT_PATCH 56
#define EVENT_PROBE 64
#define EVENT_SITE 72
#define EVENT_REGISTERS 80
#define EVENT_SIZE 96 /* at least, and a multiple of 16 */

#define PROBE_HITS 8 /* struct sdt_probe */
#define PROBE_COUNTERS 40

#define COUNTERS_SHIFT 12 /* from a CPU's word to the next one's, counters.h */

#define REGISTERS_GENERAL 0 /* struct registers */
#define REGISTERS_FLAGS 128
#define REGISTERS_PC 136
#define REGISTERS_XMM 144
#define REGISTERS_XMM_STEP 152
#define REGISTERS_SIZE 160

#endif
