/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that the runtime writes, or looks for. */
#ifndef SDT_MACHINE_SITE_H
#define SDT_MACHINE_SITE_H

#include <stdint.h>

enum {
    SITE_BREAKPOINT = 0xcc, /* int3 */
    SITE_RETURN = 0xc3,     /* ret */
    SITE_NOP = 0x90,        /* nop */
    SITE_THUNK = 5          /* bytes: jmp rel32 */
};

/* Where the breakpoint begins whose last byte is at ADDRESS; 0: there is none. For trapped hits. */
static inline uintptr_t site_breakpoint_at(uintptr_t address)
{
    const uint8_t *byte = (const uint8_t *)address;
    uint8_t last = __atomic_load_n(byte, __ATOMIC_ACQUIRE);
    if (last == 3 && byte[-1] == 0xcd) /* "int $3", in its long spelling */
        return address - 1;
    return last == SITE_BREAKPOINT ? address : 0;
}

#endif
