/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules of unwinding for the code that the tool adds on aarch64. Source: DWARF 5, sections 2.5
 * (operators) and 6.4.2; DWARF for the Arm 64-bit architecture (AADWARF64), 4.1.
 *
 * An entry is no function: the thread came by a branch, and the frame above is that of the probed
 * function as it was at the site, with its own x30. So x30 cannot be the column of the return
 * address, which here is 32, the program counter: where the entry's own branch leads. The entry is
 * known by what its `blr` has put into x30, the address of byte 16 of its 32; nothing else tells
 * where it is, since there is no register for the program counter. If x30 is not that, as in the
 * few instructions around the `blr`, the stack ends there.
 */
#include "aarch64.h"

/* CFA is sp, and x30 as it is. DWARF for the Arm 64-bit architecture (AADWARF64), 4.1. */
const uint8_t aarch64_plain_cie[AARCH64_PLAIN_CIE_SIZE] = {
    20,   0,    0, 0, /* length */
    0,    0,    0, 0, /* a CIE */
    1,                /* version */
    'z',  'R',  0,    /* augmentation */
    4,                /* code alignment */
    0x78,             /* data alignment -8 */
    30,               /* return address column: x30 */
    1,    0x1b,       /* FDE pointers are pcrel | sdata4 */
    0x0c, 31,   0,    /* DW_CFA_def_cfa sp, 0 */
    0,    0,    0, 0, /* DW_CFA_nop */
};

_Static_assert(SDT_AARCH64_ENTRY_RETURN == 16 && SDT_ENTRY_SIZE == 32 &&
                   SDT_AARCH64_ENTRY_JUMP == SDT_AARCH64_ENTRY_RETURN + 4,
               "as written below");

/* clang-format off */
const uint8_t aarch64_entry_cie[AARCH64_ENTRY_CIE_SIZE] = {
    52,   0,    0,    0,      /* length */
    0,    0,    0,    0,      /* a CIE */
    1,                        /* version */
    'z',  'R',  0,            /* augmentation */
    4,                        /* code alignment */
    0x78,                     /* data alignment -8 */
    32,                       /* return address column: pc */
    1,    0x1b,               /* FDE pointers are pcrel | sdata4 */
    0x0c, 31,   16,           /* DW_CFA_def_cfa sp, 16 */
    0x9e, 2,                  /* DW_CFA_offset x30, CFA-16 */
    0x16, 32,   28,           /* DW_CFA_val_expression of pc: */
    0x8e, 0,    0x12,         /*   breg30 0, dup */
    0x4f, 0x1a, 0x40, 0x29,   /*   lit31, and, lit16, eq: is it the entry's? */
    0x28, 4,    0,            /*   bra +4 */
    0x30, 0x2f, 14,   0,      /*   lit0, skip +14 to the end */
    0x12, 0x34, 0x22,         /*   dup, lit4, plus: the branch */
    0x94, 4,                  /*   deref_size 4 */
    0x08, 38,   0x24,         /*   const1u 38, shl, … */
    0x08, 36,   0x26,         /*   const1u 36, shra: its displacement in bytes */
    0x22, 0x23, 4,            /*   plus, plus_uconst 4: where the branch is, and on */
    0,    0,                  /* DW_CFA_nop */
};
/* clang-format on */
