/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules of unwinding for the code that the tool adds on x86-64.
 *
 * An entry is not a function: the thread came by a jump, and the frame above is that of the probed
 * function as it was at the site. So its rules are expressions. All entries of a section have the
 * same bytes at the same place of 32, hence one FDE describes all of them by the low bits of the
 * program counter, as linkers do for a PLT; and the place where the thread continues is read from
 * the jump at the entry's end. Source: DWARF 5, sections 2.5 (operators) and 6.4.2; x86-64 psABI,
 * table 3.36 (16 is the column of the return address, hence of rip).
 */
#include "x86_64.h"

/* CFA is rsp + 8, the return address at CFA - 8. */
const uint8_t x86_64_plain_cie[X86_64_PLAIN_CIE_SIZE] = {
    20,   0,    0, 0, /* length */
    0,    0,    0, 0, /* a CIE */
    1,                /* version */
    'z',  'R',  0,    /* augmentation */
    1,                /* code alignment */
    0x78,             /* data alignment -8 */
    16,               /* return address column: rip */
    1,    0x1b,       /* FDE pointers are pcrel | sdata4 */
    0x0c, 7,    8,    /* DW_CFA_def_cfa rsp, 8 */
    0x90, 1,          /* DW_CFA_offset rip, CFA-8 */
    0,    0,          /* DW_CFA_nop */
};

_Static_assert(X86_64_ENTRY_BACK == SDT_ENTRY_RETURN + 8 && SDT_ENTRY_SIZE == 32,
               "as written below");

/*
 * By operators that valgrind knows as well, which prints two lines for each section of entries
 * otherwise, or ends: no dup, swap and not, so that what is needed twice is computed twice; no
 * deref_size and shra, so that a signed word of 32 bits is the upper half of eight bytes, whose
 * sign is moved away, and back.
 */
/* clang-format off */
const uint8_t x86_64_entry_cie[X86_64_ENTRY_CIE_SIZE] = {
    68,   0,    0,    0,            /* length */
    0,    0,    0,    0,            /* a CIE */
    1,                              /* version */
    'z',  'R',  0,                  /* augmentation */
    1,                              /* code alignment */
    0x78,                           /* data alignment -8 */
    16,                             /* return address column: rip */
    1,    0x1b,                     /* FDE pointers are pcrel | sdata4 */
    0x0f, 18,                       /* DW_CFA_def_cfa_expression: rsp + 128 if moved and not back */
    0x77, 0,                        /*   breg7 0: rsp */
    0x80, 0,    0x4f, 0x1a,         /*   breg16 0, lit31, and: at */
    0x35, 0x2a,                     /*   lit5, ge */
    0x80, 0,    0x4f, 0x1a,         /*   breg16 0, lit31, and: at */
    0x43, 0x2d,                     /*   lit19, lt */
    0x1a, 0x37, 0x24, 0x22,         /*   and, lit7, shl, plus */
    0x16, 16,   32,                 /* DW_CFA_val_expression of rip: where the jump leads */
    0x80, 0,                        /*   breg16 0, … */
    0x80, 0,    0x4f, 0x1a, 0x1c,   /*   breg16 0, lit31, and, minus: the entry */
    0x80, 0,                        /*   breg16 0, … */
    0x80, 0,    0x4f, 0x1a, 0x1c,   /*   breg16 0, lit31, and, minus: the entry */
    0x23, SDT_ENTRY_JUMP - 4, 0x06, /*   plus_uconst, deref: the displacement, after four bytes */
    0x31, 0x08, 63,   0x24, 0x22,   /*   lit1, const1u 63, shl, plus: without its sign */
    0x08, 32,   0x25,               /*   const1u 32, shr */
    0x31, 0x4f, 0x24, 0x1c,         /*   lit1, lit31, shl, minus: with its sign */
    0x22, 0x23, SDT_ENTRY_JUMP + 4, /*   plus, plus_uconst */
    };
/* clang-format on */
