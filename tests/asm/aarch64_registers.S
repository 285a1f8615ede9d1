/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inline sites with every register in use; with -DNOTES those of <sys/sdt.h>. Each function loads
 * registers from x0, runs a site, and stores them to x1.
 *
 *     all_general(in, out)    x0 to x30 but x18, 31 words; NZCV
 *     all_vectors(in, out)    q0 to q31, FPSR, FPCR; 34 times 16 bytes
 *     all_sve(in, out)        z0 to z31, p0 to p15, FFR; for a processor with SVE
 *     all_streaming(in, out)  z0 to z31, p0 to p15, one row of ZA, SVCR, all in streaming mode;
 *                             for a processor with SME; returns the bytes of a vector
 */
#ifdef NOTES
#include <sys/sdt.h>
#endif
        .arch   armv8.2-a+sve
        .text
        .macro  FUNCTION name
        .globl  \name
        .type   \name, %function
\name:
        .cfi_startproc
        stp     x29, x30, [sp, #-176]!
        .cfi_def_cfa_offset 176
        .cfi_offset x29, -176
        .cfi_offset x30, -168
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        stp     x23, x24, [sp, #48]
        stp     x25, x26, [sp, #64]
        stp     x27, x28, [sp, #80]
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        str     x1, [sp, #160]
        .endm
        .macro  END name
        ldp     d8, d9, [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        ldp     x19, x20, [sp, #16]
        ldp     x21, x22, [sp, #32]
        ldp     x23, x24, [sp, #48]
        ldp     x25, x26, [sp, #64]
        ldp     x27, x28, [sp, #80]
        ldp     x29, x30, [sp], #176
        ret
        .cfi_endproc
        .size   \name, . - \name
        .endm
#ifdef NOTES
        .macro  SITE
        STAP_PROBE2(regs, site, 8@x0, -4@-5)
        .endm
#else
        .hidden __dtrace_sdtasm_regs___site
        .macro  SITE /* as <sdt/inline.h> writes it, without arguments */
        .pushsection .sdt_args, "e", %progbits
        .long   990f - .
        .byte   2, 0
        .asciz  "regs"
        .asciz  "site"
        .popsection
990:    bl      __dtrace_sdtasm_regs___site
        .endm
#endif

        .macro  EACH_REGISTER do
        .irp    n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23, \
                24, 25, 26, 27, 28, 29, 30
        \do     x\n, [x0, #8 * \n]
        .endr
        .endm

        FUNCTION all_general
        ldr     x1, [x0, #8 * 31]
        msr     nzcv, x1
        EACH_REGISTER ldr
        ldr     x0, [x0]
        SITE
        str     x0, [sp, #168]
        ldr     x0, [sp, #160]
        EACH_REGISTER str
        ldr     x1, [sp, #168]
        str     x1, [x0]
        mrs     x1, nzcv
        str     x1, [x0, #8 * 31]
        END     all_general

        .macro  EACH_VECTOR do
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, \
                22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        \do     q\n, [x0, #16 * \n]
        .endr
        .endm

        FUNCTION all_vectors
        EACH_VECTOR ldr
        ldr     x1, [x0, #512]
        ldr     x2, [x0, #528]
        msr     fpsr, x1
        msr     fpcr, x2
        SITE
        ldr     x0, [sp, #160]
        mrs     x1, fpsr
        mrs     x2, fpcr
        str     x1, [x0, #512]
        str     x2, [x0, #528]
        msr     fpcr, xzr
        EACH_VECTOR str
        END     all_vectors

        .macro  EACH_SVE do
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, \
                22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        \do     z\n, [x0, #\n, mul vl]
        .endr
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        \do     p\n, [x2, #\n, mul vl]
        .endr
        .endm

        FUNCTION all_sve
        addvl   x2, x0, #31
        addvl   x2, x2, #1
        ldr     p0, [x2, #16, mul vl]
        wrffr   p0.b
        EACH_SVE ldr
        SITE
        ldr     x0, [sp, #160]
        addvl   x2, x0, #31
        addvl   x2, x2, #1
        EACH_SVE str
        rdffr   p0.b
        str     p0, [x2, #16, mul vl]
        END     all_sve

/* After the predicates; the assembler need not know these instructions. */
        FUNCTION all_streaming
        .inst   0xd503477f /* smstart */
        addvl   x2, x0, #31
        addvl   x2, x2, #1
        EACH_SVE ldr
        mov     w12, #0
        .inst   0xe1000000 /* ldr za[w12, 0], [x0] */
        SITE
        ldr     x0, [sp, #160]
        addvl   x2, x0, #31
        addvl   x2, x2, #1
        EACH_SVE str
        addvl   x2, x2, #3
        .inst   0xe1200040 /* str za[w12, 0], [x2] */
        addvl   x2, x2, #1
        mrs     x3, s3_3_c4_c2_2 /* SVCR */
        str     x3, [x2]
        rdvl    x0, #1
        .inst   0xd503467f /* smstop */
        END     all_streaming

        .section .note.GNU-stack, "", %progbits
