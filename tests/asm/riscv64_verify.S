/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the second reader is tested with: every kind of site that is written as a call, each in a
 * function of its own, after calls that linkers shorten; an empty room; data among the code.
 * A compiler makes inline sites.
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
        addi    sp, sp, -16
        sd      ra, 8(sp)
        call    v_leaf
        call    __dtrace_sdt_v___call
        ld      ra, 8(sp)
        addi    sp, sp, 16
        ret
        END     v_call
        FUNCTION v_leaf
        ret
        END     v_leaf
        FUNCTION v_tail
        addi    a0, a0, 1
        tail    __dtrace_sdt_v___tail
        END     v_tail
        FUNCTION v_tail2
        addi    a0, a0, 2
        beqz    a0, 1f
        tail    v_leaf
1:      tail    __dtrace_sdt_v___tail
        END     v_tail2
        FUNCTION v_ask
        addi    sp, sp, -16
        sd      ra, 8(sp)
        call    v_leaf
        call    __dtrace_sdtenabled_v___call
        ld      ra, 8(sp)
        addi    sp, sp, 16
        ret
        END     v_ask
        FUNCTION v_answer
        addi    a1, a1, 1
        tail    __dtrace_sdtenabled_v___call
        END     v_answer
        FUNCTION room
        .option push
        .option norvc
        nop
        nop
        nop
        .option pop
        ret
        .dword  0x1122334455667788
        END     room

        .section .note.GNU-stack, "", %progbits
