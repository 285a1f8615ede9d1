/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules of unwinding for the code that the tool adds on riscv64. Source: DWARF 5, sections 2.5
 * (operators) and 6.4.2; RISC-V ELF psABI, "DWARF Register Numbers": x0 to x31 are 0 to 31, and 64
 * is an alternate column for return addresses.
 *
 * An entry is no function: the thread came by a jump, and the frame above is that of the probed
 * function as it was at the site, with its own ra. So the column of the return address is 64, and
 * it is the end of the site, which the entry's record names. The entry is known by what its `jalr`
 * has put into t1, the address of byte 12 of its 32. If t1 is not that, as in the few instructions
 * around the `jalr`, the stack ends there.
 */
#include "riscv64.h"

/* CFA is sp, and ra as it is. */
const uint8_t riscv64_plain_cie[RISCV64_PLAIN_CIE_SIZE] = {
    20,   0,    0, 0, /* length */
    0,    0,    0, 0, /* a CIE */
    1,                /* version */
    'z',  'R',  0,    /* augmentation */
    1,                /* code alignment */
    0x78,             /* data alignment -8 */
    1,                /* return address column: ra */
    1,    0x1b,       /* FDE pointers are pcrel | sdata4 */
    0x0c, 2,    0,    /* DW_CFA_def_cfa sp, 0 */
    0,    0,    0, 0, /* DW_CFA_nop */
};

_Static_assert(SDT_RISCV64_ENTRY_RETURN == 12 && SDT_ENTRY_SIZE == 32 &&
                   offsetof(struct sdt_site, pc) == 0,
               "as written below");

/* clang-format off */
const uint8_t riscv64_entry_cie[RISCV64_ENTRY_CIE_SIZE] = {
    60,   0,    0,    0,      /* length */
    0,    0,    0,    0,      /* a CIE */
    1,                        /* version */
    'z',  'R',  0,            /* augmentation */
    1,                        /* code alignment */
    0x78,                     /* data alignment -8 */
    64,                       /* return address column */
    1,    0x1b,               /* FDE pointers are pcrel | sdata4 */
    0x0c, 2,    0,            /* DW_CFA_def_cfa sp, 0 */
    0x16, 64,   38,           /* DW_CFA_val_expression of column 64: */
    0x76, 0,    0x12,         /*   breg6 0, dup */
    0x4f, 0x1a, 0x3c, 0x29,   /*   lit31, and, lit12, eq: is it the entry's? */
    0x28, 4,    0,            /*   bra +4 */
    0x30, 0x2f, 24,   0,      /*   lit0, skip +24 to the end */
    0x23, 12,   0x12,         /*   plus_uconst 12, dup: where the entry says whose it is */
    0x94, 4,                  /*   deref_size 4 */
    0x08, 32,   0x24,         /*   const1u 32, shl, … */
    0x08, 32,   0x26,         /*   const1u 32, shra: a distance */
    0x22, 0x12,               /*   plus, dup: the record, whose first word says where it is */
    0x94, 4,                  /*   the same */
    0x08, 32,   0x24,
    0x08, 32,   0x26,
    0x22, 0x23, 8,            /*   plus, plus_uconst 8: after the site */
    0,    0,    0,            /* DW_CFA_nop */
};
/* clang-format on */
