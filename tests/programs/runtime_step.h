/* SPDX-License-Identifier: BSD-2-Clause */
/* A program that steps through itself, on x86-64: SIGTRAP after each instruction but in its
 * handler, from step(true) to step(false). */
#ifndef RT_STEP_H
#define RT_STEP_H

#include <stdbool.h>

/* Below the red zone, where the compiler may keep something. */
static inline __attribute__((always_inline)) void step(bool is_on)
{
    if (is_on)
        __asm__ volatile("sub $128, %%rsp; pushfq; orl $0x100, (%%rsp); popfq; sub $-128, %%rsp" ::
                             : "memory", "cc");
    else
        __asm__ volatile(
            "sub $128, %%rsp; pushfq; andl $~0x100, (%%rsp); popfq; sub $-128, %%rsp" ::
                : "memory", "cc");
}

#endif
