/* SPDX-License-Identifier: BSD-2-Clause */
/* The places of thunk windows, for programs that take them away. */
#ifndef RT_TAKEN_H
#define RT_TAKEN_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE first: MAP_FIXED_NOREPLACE"
#endif
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static const uint8_t mms[] = {0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6,
                              0xc7, 0x07, 0x06, 0x03, 0x02, 0x01, 0x00};
enum { MMS = sizeof mms, PAGE = 4096 };

/* Where the call that the bytes of the call site at SITE say would go, were they to end in MM. */
static inline uintptr_t thunk_place(uintptr_t site, uint8_t mm)
{
    const uint8_t bytes[4] = {0x66, 0x0f, 0x1f, mm};
    int32_t displacement;
    memcpy(&displacement, bytes, sizeof displacement);
    return site + 5 + (uintptr_t)(intptr_t)displacement;
}

/* Take the page there, so that no window can be; MAP_FAILED: it never was free. */
static inline void *take(uintptr_t site, uint8_t mm)
{
    uintptr_t page = thunk_place(site, mm) & ~(uintptr_t)(PAGE - 1);
    return mmap((void *)page, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
                -1, 0);
}

#endif
