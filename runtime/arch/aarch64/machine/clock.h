/* SPDX-License-Identifier: BSD-2-Clause */
/* The virtual count of the generic timer, which all CPUs share. */
#ifndef SDT_MACHINE_CLOCK_H
#define SDT_MACHINE_CLOCK_H

#include <stdint.h>

static inline uint64_t machine_cycles(void)
{
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
}

/* The kernel's clock sources that are this counter. */
#define MACHINE_CLOCK_SOURCES "arch_sys_counter\n"

#endif
