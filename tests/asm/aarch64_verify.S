/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the second reader is tested with: a call, and every kind of site that is made for a branch
 * that stays, each in a function of its own; an empty room; data among the code. aarch64_branches.S
 * has the other conditional branches, and a compiler makes inline sites.
 */
        .text
        .macro  FUNCTION name
        .globl  \name
        .type   \name, %function
\name:
        .endm
        .macro  END name
        .size   \name, . - \name
        .endm

        FUNCTION v_call
        str     x30, [sp, #-16]!
        bl      __dtrace_sdt_v___call
        ldr     x30, [sp], #16
        ret
        END     v_call
        FUNCTION v_tail
        add     x0, x0, #1
        b       __dtrace_sdt_v___tail
        END     v_tail
        FUNCTION v_tail2
        add     x0, x0, #2
        b       __dtrace_sdt_v___tail
        END     v_tail2
        FUNCTION v_condition
        cbnz    x0, __dtrace_sdt_v___condition
        ret
        END     v_condition
        FUNCTION v_ask
        str     x30, [sp, #-16]!
        bl      __dtrace_sdtenabled_v___call
        ldr     x30, [sp], #16
        ret
        END     v_ask
        FUNCTION v_answer
        nop
        b       __dtrace_sdtenabled_v___call
        END     v_answer
        FUNCTION room
        nop
        nop
        ret
        .xword  0x1122334455667788
        END     room

        .section .note.GNU-stack, "", %progbits
