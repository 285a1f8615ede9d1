/* SPDX-License-Identifier: BSD-2-Clause */
/* What must be known of the machine before vector registers are kept. */
#include <arch/machine.h>

#include <stdint.h>
#include <sys/auxv.h>

/* For vector.S: what beyond q0 to q31 a handler may change, and whether there is a mode in which it
 * must not run. */
enum { KIND_SVE = 1, KIND_SME = 2 };
extern uint32_t vector_kind;
uint32_t vector_kind;

/* Bits of the kernel's interface, which headers of the C library may be too old for. */
#define HAS_SVE (1ul << 22) /* AT_HWCAP */
#define HAS_SME (1ul << 23) /* AT_HWCAP2 */

void machine_prepare(void)
{
    uint32_t kind = getauxval(AT_HWCAP) & HAS_SVE ? KIND_SVE : 0;
    if (getauxval(AT_HWCAP2) & HAS_SME)
        kind |= KIND_SME;
    vector_kind = kind;
}
