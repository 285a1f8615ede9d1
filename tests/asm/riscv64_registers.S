/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inline sites with every register in use; with -DNOTES those of <sys/sdt.h>. Each function loads
 * registers from a0, runs a site, and stores them to a1.
 *
 *     all_general(in, out)    x0 to x31, of which x0, sp, gp and tp are not touched, and t1 at
 *                             sites of notes only
 *     all_floats(in, out)     f0 to f31, fcsr; 33 words
 *     all_vectors(in, out)    v0 to v31, then vl, vtype, vcsr and vstart; for a hart that has them
 */
#ifdef NOTES
#include <sys/sdt.h>
#endif
        .text
        .macro  EACH_KEPT general, float
        .irp    n, 1, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
        \general x\n, 8 * \n(sp)
        .endr
        .irp    n, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
        \float  f\n, 8 * (32 + \n)(sp)
        .endr
        .endm

        .macro  FUNCTION name
        .globl  \name
        .type   \name, @function
\name:
        .cfi_startproc
        addi    sp, sp, -512
        .cfi_def_cfa_offset 512
        EACH_KEPT sd, fsd
        .cfi_offset ra, -504
        sd      a1, 0(sp)
        .endm
        .macro  END name
        EACH_KEPT ld, fld
        addi    sp, sp, 512
        ret
        .cfi_endproc
        .size   \name, . - \name
        .endm
#ifdef NOTES
        .macro  SITE
        STAP_PROBE2(regs, site, 8@a0, -4@-5)
        .endm
#define OF_NOTE 6,
#else
        .hidden __dtrace_sdtasm_regs___site
#define OF_NOTE
        .macro  SITE /* as <sdt/inline.h> writes it, without arguments */
        .pushsection .sdt_args, "e", @progbits
        .long   990f - .
        .byte   2, 0
        .asciz  "regs"
        .asciz  "site"
        .popsection
990:    jump    __dtrace_sdtasm_regs___site, t1
        .endm
#endif

        .macro  EACH_REGISTER do
        .irp    n, 1, 5, OF_NOTE 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, \
                24, 25, 26, 27, 28, 29, 30, 31
        \do     x\n, 8 * \n(a0)
        .endr
        .endm

        FUNCTION all_general
        EACH_REGISTER ld
        ld      a0, 80(a0)
        SITE
        sd      a0, 16(sp)
        ld      a0, 0(sp)
        EACH_REGISTER sd
        ld      a1, 16(sp)
        sd      a1, 80(a0)
        END     all_general

        .macro  EACH_FLOAT do
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, \
                22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        \do     f\n, 8 * \n(a0)
        .endr
        .endm

        FUNCTION all_floats
        EACH_FLOAT fld
        ld      a1, 256(a0)
        fscsr   a1
        SITE
        ld      a0, 0(sp)
        frcsr   a1
        sd      a1, 256(a0)
        EACH_FLOAT fsd
        fscsr   zero
        END     all_floats

        .option arch, +v
        .macro  EACH_VECTOR do
        csrr    t0, vlenb
        slli    t0, t0, 3
        mv      t2, a0
        .irp    n, 0, 8, 16, 24
        \do     v\n, (t2)
        add     t2, t2, t0
        .endr
        .endm

        FUNCTION all_vectors
        EACH_VECTOR vl8r.v
        ld      t3, 0(t2)
        ld      t4, 8(t2)
        ld      t5, 16(t2)
        ld      t6, 24(t2)
        vsetvl  zero, t3, t4
        csrw    vcsr, t5
        csrw    vstart, t6
        SITE
        ld      a0, 0(sp)
        csrr    t3, vl
        csrr    t4, vtype
        csrr    t5, vcsr
        csrr    t6, vstart
        csrw    vstart, zero
        EACH_VECTOR vs8r.v
        sd      t3, 0(t2)
        sd      t4, 8(t2)
        sd      t5, 16(t2)
        sd      t6, 24(t2)
        END     all_vectors

        .section .note.GNU-stack, "", @progbits
