/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The registers of a thread at a probe site whose registers are all live. Such a site is no call:
 * the thread was stopped by a breakpoint, or branched here from inside an asm statement.
 * entry_save, in ../entry.S, saves the registers in this form, and restores them all.
 */
#ifndef SDT_MACHINE_REGISTERS_H
#define SDT_MACHINE_REGISTERS_H

#include <stdint.h>

struct registers {
    uint64_t general[32]; /* as instructions number them: x0 to x30, sp */
    /* q0 to q31, or z0 to z31; NULL: not saved, the thread still has the program's in place … */
    const uint8_t *vectors;
    /* … and so far from one to the next: */
    uint64_t vector_step;
    uintptr_t entry; /* the return address into the site's entry */
};

/* Which of them are the stack pointer, the frame pointer, and what calls leave the return address
 * in. */
enum { REGISTERS_STACK = 31, REGISTERS_FRAME = 29, REGISTERS_LINK = 30 };

/* At a call, so many arguments are in registers: x0 to x7. */
enum { REGISTER_WORDS = 8 };

/* The low half of vector register NUMBER (0..31) as the thread has it now. */
uint64_t vector_low(unsigned number);

#endif
