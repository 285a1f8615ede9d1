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
/* Parts that are seldom in use: all but SSE and AVX. 0: the CPU does not tell what is in use. */
extern uint32_t entry_vector_rare;
extern uint32_t entry_vector_upper; /* those and AVX */

#endif
