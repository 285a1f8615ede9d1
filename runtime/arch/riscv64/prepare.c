/* SPDX-License-Identifier: BSD-2-Clause */
/* What must be known of the machine before vector registers are kept. */
#include <arch/machine.h>

#include <stdint.h>
#include <sys/auxv.h>

/* For vector.S: whether there are registers of the vector extension. */
extern uint32_t vector_kind;
uint32_t vector_kind;

/* A bit for each extension of one letter (the kernel's <asm/hwcap.h>). */
#define HAS_VECTORS (1ul << ('v' - 'a')) /* AT_HWCAP */

void machine_prepare(void)
{
    vector_kind = getauxval(AT_HWCAP) & HAS_VECTORS ? 1 : 0;
}
