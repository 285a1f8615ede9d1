/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The registers of a thread at a probe site whose registers are all live. Such a site is not a
 * call: the thread was stopped by a breakpoint (nop1), or jumped here from inside an asm statement.
 * entry_save, in ../entry.S, saves the registers in this form, and restores them all.
 */
#ifndef SDT_MACHINE_REGISTERS_H
#define SDT_MACHINE_REGISTERS_H

#include <stdint.h>

/* The offsets are known to ../entry.S. */
struct registers {
    /* 16 bytes each (xmm); NULL: not saved, the thread still has the program's in place … */
    const uint8_t *vectors;
    /* … and so far from one to the next: */
    uint64_t vector_step;
    uint64_t general[16]; /* as instructions number them: rax rcx rdx rbx rsp rbp rsi rdi r8-r15 */
    uintptr_t entry;      /* the return address into the site's entry */
};

/* Which of them are the stack pointer and the frame pointer; none has return addresses. */
enum { REGISTERS_STACK = 4, REGISTERS_FRAME = 5, REGISTERS_LINK = REGISTERS_FRAME };

/* At a call, so many arguments are in registers: rdi rsi rdx rcx r8 r9. */
enum { REGISTER_WORDS = 6 };

/* The low half of vector register NUMBER (0..15) as the thread has it now; ../fetch.S. */
uint64_t vector_low(unsigned number);

#endif
