/* SPDX-License-Identifier: BSD-2-Clause */
/* The timer that all harts share. */
#ifndef SDT_MACHINE_CLOCK_H
#define SDT_MACHINE_CLOCK_H

#include <stdint.h>

static inline uint64_t machine_cycles(void)
{
    uint64_t count;
    __asm__ volatile("rdtime %0" : "=r"(count));
    return count;
}

/* The kernel's clock sources that are this counter. */
#define MACHINE_CLOCK_SOURCES "riscv_clocksource\n"

#endif
