/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every branch that can lead to a probe on aarch64, each in a function of its own. A conditional
 * one, not taken, goes on to `add`: a site that is not what the branch was would run both, or
 * neither. x0: the argument; returned in x0.
 */
        .text
        .macro  FUNCTION name
        .globl  \name
        .type   \name, %function
\name:
        .endm
        .macro  END name
        add     x0, x0, #100
        ret
        .size   \name, . - \name
        .endm

        FUNCTION by_cbz
        cbz     x0, __dtrace_sdt_br___cbz
        END     by_cbz
        FUNCTION by_cbnz
        cbnz    w0, __dtrace_sdt_br___cbnz
        END     by_cbnz
        FUNCTION by_tbz
        tbz     x0, #1, __dtrace_sdt_br___tbz
        END     by_tbz
        FUNCTION by_tbnz
        tbnz    w0, #1, __dtrace_sdt_br___tbnz
        END     by_tbnz
        FUNCTION by_condition
        cmp     x0, #1
        b.gt    __dtrace_sdt_br___condition
        END     by_condition
        FUNCTION by_jump
        add     x0, x0, #10
        b       __dtrace_sdt_br___jump
        END     by_jump
        FUNCTION by_call
        str     x30, [sp, #-16]!
        bl      __dtrace_sdt_br___call
        ldr     x30, [sp], #16
        END     by_call

        .section .note.GNU-stack, "", %progbits
