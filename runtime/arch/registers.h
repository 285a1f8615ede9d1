/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The registers of a thread at a probe site whose registers are all live, and what an operand of an
 * argument descriptor (<sdt/format.h>) means there.
 *
 * Such a site is no call: the thread was stopped by a breakpoint (nop1), or jumped here from inside
 * an asm statement. entry_save, in entry_x86_64.S, saves the registers in this
 * form, and restores them all.
 */
#ifndef SDT_ARCH_REGISTERS_H
#define SDT_ARCH_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/* The offsets are known to entry_x86_64.S. */
struct registers {
    /* 16 bytes each; NULL: not saved, the thread still has the program's in place … */
    const uint8_t *xmm;
    /* … and so far from one to the next: */
    uint64_t xmm_step;
    uint64_t general[16]; /* as instructions number them: rax rcx rdx rbx rsp rbp rsi rdi r8-r15 */
    uintptr_t entry;      /* the return address into the site's entry */
};

/* The low half of vector register NUMBER (0..15) as the thread has it now; fetch_x86_64.S. */
uint64_t vector_low(unsigned number);

enum operand_kind {
    OPERAND_UNKNOWN,  /* nothing that can be evaluated: its value is not available */
    OPERAND_CONSTANT, /* `displacement` */
    OPERAND_REGISTER, /* general register `base`; if `is_high`, the second byte of it */
    OPERAND_VECTOR,   /* xmm register `base` */
    OPERAND_MEMORY,   /* displacement(base, index, scale) */
    OPERAND_SYMBOL    /* symbol(%rip): where that is, the record says; with `*`, is_indirect */
};

enum { OPERAND_NO_REGISTER = 16 };

struct operand {
    uint8_t kind;               /* enum operand_kind */
    uint8_t base, index, scale; /* OPERAND_NO_REGISTER: none */
    bool is_high, is_indirect;
    int64_t displacement;
};

/* Read the operand at TEXT, which ends at a blank or NUL. */
void operand_parse(const char *text, struct operand *operand);

/* The address that a OPERAND_MEMORY operand means. */
uint64_t operand_address(const struct operand *operand, const struct registers *registers);

#endif
