/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One function for each form that a compiler gives to a probe, as it comes out of the compiler: to
 * be processed by the tool. Six arguments in registers, fm_tail* with two more on the stack.
 */
        .macro  FUNCTION name
        .text
        .globl  \name
        .type   \name, @function
        .p2align 4
\name:  .cfi_startproc
        .endm

        .macro  END name
        .cfi_endproc
        .size   \name, . - \name
        .endm

        /* The stack as a compiler leaves it around a call. */
        .macro  CALLING name, insn:vararg
        FUNCTION \name
        sub     $8, %rsp
        .cfi_adjust_cfa_offset 8
        \insn
        add     $8, %rsp
        .cfi_adjust_cfa_offset -8
        ret
        END     \name
        .endm

        .macro  LEAVING name, insn:vararg
        FUNCTION \name
        \insn
        END     \name
        .endm

        CALLING fm_call, call __dtrace_sdt_forms___call
        CALLING fm_call6, call *__dtrace_sdt_forms___call6@GOTPCREL(%rip)
        LEAVING fm_tail, jmp __dtrace_sdt_forms___tail
        LEAVING fm_tail6, jmp *__dtrace_sdt_forms___tail6@GOTPCREL(%rip)

/* Fires if the first argument is above 5, otherwise answers 42. */
        FUNCTION fm_jcc
        mov     $42, %eax
        cmp     $5, %rdi
        jg      __dtrace_sdt_forms___jcc
        ret
        END     fm_jcc

        CALLING fm_enabled, call __dtrace_sdtenabled_forms___call
        CALLING fm_enabled6, call *__dtrace_sdtenabled_forms___call6@GOTPCREL(%rip)
        LEAVING fm_enabled_tail, jmp __dtrace_sdtenabled_forms___tail
        LEAVING fm_enabled_tail6, jmp *__dtrace_sdtenabled_forms___tail6@GOTPCREL(%rip)

/* Asks if the first argument is above 5, otherwise answers 42. */
        FUNCTION fm_enabled_jcc
        mov     $42, %eax
        cmp     $5, %rdi
        jg      __dtrace_sdtenabled_forms___jcc
        ret
        END     fm_enabled_jcc

        .section .note.GNU-stack, "", @progbits
