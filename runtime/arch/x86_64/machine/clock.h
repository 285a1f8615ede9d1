/* SPDX-License-Identifier: BSD-2-Clause */
/* The time-stamp counter. */
#ifndef SDT_MACHINE_CLOCK_H
#define SDT_MACHINE_CLOCK_H

#include <stdint.h>

static inline uint64_t machine_cycles(void)
{
    return __builtin_ia32_rdtsc();
}

/*
 * The kernel's clock sources that are this counter. Under a hypervisor they have another name, but
 * are the counter, scaled.
 */
#define MACHINE_CLOCK_SOURCES "tsc\n", "kvm-clock\n", "hyperv_clocksource_tsc_page\n"

#endif
