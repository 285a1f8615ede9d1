/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector_dispatch: dispatch_event() for a thread whose vector registers are all in use. A handler
 * is an ordinary function, and may change q0 to q31, FPSR, and, on a processor with SVE, what lies
 * beyond: a write to q0 clears the rest of z0. So there z0 to z31, p0 to p15 and FFR are kept.
 *
 * In streaming mode (SME) ordinary functions must not run at all: a hit from there is left out.
 * There are processors with SME and without SVE, where none of this is to be kept otherwise.
 * machine_prepare() finds out once what there is (vector_kind).
 */
        .arch   armv8.2-a+sve
#include "macros.inc"

#define SVE_BIT 0 /* of vector_kind */
#define SME_BIT 1
#define SVCR s3_3_c4_c2_2 /* bit 0: streaming mode */

#define STATUS 16 /* FPCR and FPSR, before q0 */
#define Q_SIZE (STATUS + 32 * 16)

        .text
        .macro  EACH_PAIR do
        .irp    n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        \do     \n
        .endr
        .endm

        .altmacro
        .macro  STORE_Q n
        STORE_Q_ \n, %(\n + 1)
        .endm
        .macro  STORE_Q_ n, next
        stp     q\n, q\next, [sp, #STATUS + 16 * \n]
        .endm
        .macro  LOAD_Q n
        LOAD_Q_ \n, %(\n + 1)
        .endm
        .macro  LOAD_Q_ n, next
        ldp     q\n, q\next, [sp, #STATUS + 16 * \n]
        .endm
        .macro  EACH_Z do
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, \
                22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        \do     z\n, [sp, #\n, mul vl]
        .endr
        .endm
        .macro  EACH_P do
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        \do     p\n, [x1, #\n, mul vl]
        .endr
        .endm

/*
 * NAME: call FUNCTION with x0, and all vector registers kept. IS_EVENT: x0 is a struct sdt_event,
 * whose registers are told where the vectors are.
 */
        .macro  KEEP name, function, is_event
        FUNCTION \name
        stp     x29, x30, [sp, #-32]!
        .cfi_def_cfa_offset 32
        .cfi_offset x29, -32
        .cfi_offset x30, -24
        mov     x29, sp
        .cfi_def_cfa_register x29
        mrs     x1, fpcr
        mrs     x2, fpsr
        stp     x1, x2, [sp, #16]
        adrp    x1, vector_kind
        ldr     w1, [x1, :lo12:vector_kind]
        tbz     w1, #SME_BIT, 1f
        mrs     x2, SVCR
        tbnz    w2, #0, 9f
1:      tbnz    w1, #SVE_BIT, 2f

        sub     sp, sp, #Q_SIZE
        EACH_PAIR STORE_Q
        .if     \is_event
        ldr     x1, [x0, #EVENT_REGISTERS]
        add     x2, sp, #STATUS
        mov     x3, #16
        stp     x2, x3, [x1, #REGISTERS_VECTORS]
        .endif
        bl      \function
        EACH_PAIR LOAD_Q
9:      ldp     x1, x2, [x29, #16]
        msr     fpcr, x1
        msr     fpsr, x2
        mov     sp, x29
        .cfi_def_cfa_register sp
        ldp     x29, x30, [sp], #32
        .cfi_remember_state
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_restore_state
        .cfi_def_cfa_register x29

2:      addvl   sp, sp, #-32 /* z0 to z31; above them room for 24 predicates, where 17 are */
        addvl   sp, sp, #-3
        EACH_Z  str
        addvl   x1, sp, #31
        addvl   x1, x1, #1
        EACH_P  str
        rdffr   p0.b
        str     p0, [x1, #16, mul vl]
        .if     \is_event
        ldr     x1, [x0, #EVENT_REGISTERS]
        mov     x2, sp
        rdvl    x3, #1
        stp     x2, x3, [x1, #REGISTERS_VECTORS]
        .endif
        bl      \function
        addvl   x1, sp, #31
        addvl   x1, x1, #1
        ldr     p0, [x1, #16, mul vl]
        wrffr   p0.b
        EACH_P  ldr
        EACH_Z  ldr
        b       9b
        END     \name
        .endm

        KEEP    vector_dispatch, dispatch_event, 1

/* sync_claim(), which calls the C library, with all of that kept: for a thread's first hit. */
        KEEP    vector_claim, sync_claim, 0

/*
 * uint64_t vector_low(unsigned number): the low half of a vector register of the running thread.
 * One row of 16 bytes each, with `bti j` at its beginning.
 */
        FUNCTION vector_low
        and     w0, w0, #31
        adr     x1, 1f
        add     x1, x1, x0, lsl #4
        br      x1
        .p2align 4
1:
        .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, \
                21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        hint    #36 /* bti j */
        mov     x0, v\number\().d[0]
        ret
        nop
        .endr
        END     vector_low

        END_OF_FILE
