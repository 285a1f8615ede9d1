/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The registers of a thread at a probe site whose registers are all live. Such a site is no call:
 * the thread was stopped by a breakpoint, or jumped here from inside an asm statement.
 * entry_save, in ../entry.S, saves the registers in this form, and restores them all.
 */
#ifndef SDT_MACHINE_REGISTERS_H
#define SDT_MACHINE_REGISTERS_H

#include <stdint.h>

struct registers {
    uint64_t general[32];   /* x0 to x31; t1 is the site's own, and of no use */
    const uint8_t *vectors; /* f0 to f31 … */
    uint64_t vector_step;   /* … and so far from one to the next */
    uintptr_t entry;        /* the return address into the site's entry */
};

/* Which of them are the stack pointer, the frame pointer, and what calls leave the return address
 * in. */
enum { REGISTERS_STACK = 2, REGISTERS_FRAME = 8, REGISTERS_LINK = 1 };

/* At a call, so many arguments are in registers: a0 to a7. */
enum { REGISTER_WORDS = 8 };

/* Register NUMBER (0..31) of floating point as the thread has it now. */
uint64_t vector_low(unsigned number);

#endif
