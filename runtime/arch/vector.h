/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector registers that a handler at a site of live registers may change. */
#ifndef SDT_ARCH_VECTOR_H
#define SDT_ARCH_VECTOR_H

#include <stdint.h>

/* Must be before the first site that leads to entry_save is armed. Locked. */
void vector_prepare(void);

/* For entry_x86_64.S. */
extern uint32_t entry_vector_parts;   /* what XSAVE is asked for; 0: use FXSAVE */
extern uint64_t entry_vector_size;    /* bytes that it writes */
extern uint32_t entry_vector_compact; /* there is XSAVEC, which writes what is in use */
/* Bits of VECTOR_…: at which entries x87, SSE and AVX can be saved without XSAVE. */
extern uint32_t entry_vector_by_hand;
extern uint32_t entry_vector_others; /* what XGETBV has to be asked for: parts besides those */

enum { VECTOR_DEAD_FLAGS = 1, VECTOR_LIVE_FLAGS = 2 };

#endif
