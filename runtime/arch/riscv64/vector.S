/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector_dispatch: dispatch_event() for a thread whose registers of floating point and vectors are
 * all in use; vector_record: recorder_dispatch() likewise. A handler is an ordinary function, and
 * may change ft0 to ft11, fa0 to fa7 and the flags and the rounding mode in fcsr. fs0 to fs11 are
 * kept by every function, but stored as well: an operand may be there.
 *
 * Where there is the vector extension, ordinary functions may change v0 to v31, vl, vtype, vstart
 * and vcsr as well: all of it is kept, 32 times vlenb bytes. machine_prepare() finds out once
 * (vector_kind). The length is what the program has set when a vector is stored whole: vs8r.v does
 * not ask. A state that vsetvl did not accept (vill) comes back as such.
 */
#include "macros.inc"

#define ROOM (8 + 32 * 8 + 8) /* fcsr, f0 to f31; and a word, to align */

        .text
        .macro  EACH_FLOAT do
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, \
                22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        \do     f\n, 8 + 8 * \n(sp)
        .endr
        .endm

/*
 * The frame, from s0 down: ra, s0, s1, vcsr, vstart, a word, vl, vtype; from s1 up fcsr and f0 to
 * f31; below them v0 to v31.
 */
        .macro  KEEP name, function
        FUNCTION \name
        addi    sp, sp, -64
        .cfi_def_cfa_offset 64
        sd      ra, 56(sp)
        sd      s0, 48(sp)
        sd      s1, 40(sp)
        .cfi_offset ra, -8
        .cfi_offset s0, -16
        .cfi_offset s1, -24
        addi    s0, sp, 64
        .cfi_def_cfa s0, 0
        addi    sp, sp, -ROOM
        EACH_FLOAT fsd
        frcsr   t0
        sd      t0, 0(sp)
        ld      t1, EVENT_REGISTERS(a0)
        addi    t0, sp, 8
        sd      t0, REGISTERS_VECTORS(t1)
        li      t0, 8
        sd      t0, REGISTERS_VECTOR_STEP(t1)
        mv      s1, sp
        lw      t0, vector_kind
        bnez    t0, 1f
        call    \function
        j       2f

1:
        .option push
        .option arch, +v
        csrr    t0, vl
        csrr    t1, vtype
        csrr    t2, vcsr
        csrr    t3, vstart
        sd      t0, -56(s0)
        sd      t1, -64(s0)
        sd      t2, -32(s0)
        sd      t3, -40(s0)
        csrw    vstart, zero
        csrr    t0, vlenb
        slli    t1, t0, 5
        sub     sp, sp, t1
        slli    t0, t0, 3
        vs8r.v  v0, (sp)
        add     t1, sp, t0
        vs8r.v  v8, (t1)
        add     t1, t1, t0
        vs8r.v  v16, (t1)
        add     t1, t1, t0
        vs8r.v  v24, (t1)
        call    \function
        csrr    t0, vlenb
        slli    t0, t0, 3
        vl8r.v  v0, (sp)
        add     t1, sp, t0
        vl8r.v  v8, (t1)
        add     t1, t1, t0
        vl8r.v  v16, (t1)
        add     t1, t1, t0
        vl8r.v  v24, (t1)
        ld      t0, -56(s0)
        ld      t1, -64(s0)
        ld      t2, -32(s0)
        ld      t3, -40(s0)
        vsetvl  zero, t0, t1
        csrw    vcsr, t2
        csrw    vstart, t3
        mv      sp, s1
        .option pop
2:
        EACH_FLOAT fld
        ld      t0, 0(sp)
        fscsr   t0
        addi    sp, s0, -64
        .cfi_def_cfa sp, 64
        ld      ra, 56(sp)
        ld      s0, 48(sp)
        ld      s1, 40(sp)
        .cfi_restore ra
        .cfi_restore s0
        .cfi_restore s1
        addi    sp, sp, 64
        .cfi_def_cfa_offset 0
        ret
        END     \name
        .endm

        KEEP    vector_dispatch, dispatch_event
        KEEP    vector_record, recorder_dispatch

/* uint64_t vector_low(unsigned number): register fNUMBER of the running thread; 8 bytes a row. */
        FUNCTION vector_low
        andi    a0, a0, 31
        slli    a0, a0, 3
        lla     t0, 1f
        add     t0, t0, a0
        jr      t0
        .p2align 3
        .option push
        .option norvc
1:
        .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, \
                21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        fmv.x.d a0, f\number
        ret
        .endr
        .option pop
        END     vector_low

        END_OF_FILE
