/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What companion mode leaves for the runtime: calls and jumps to the stub, still in the text, and
 * records that say so. No loaders.
 */
#include "runtime_site.inc"

        .set    COMPANION, 2

        PROBE   companion, call
        PROBE   companion, tail
        PROBE   companion, flag
        PROBE   companion, wrong

        .macro  COMPANION_SITE opcode, name, function, kind, nargs=0, args=""
.Lsite\@:
        .byte   \opcode
        .long   S_\name - . - 4
        RECORD  .Lsite\@, \name, \function, "\args", \kind, \nargs, COMPANION
        .endm

        FUNCTION cm_call
        sub     $8, %rsp
        .cfi_adjust_cfa_offset 8
        COMPANION_SITE 0xe8, call, cm_call, KIND_CALL, 2, "-8@%rdi -8@%rsi"
        add     $8, %rsp
        .cfi_adjust_cfa_offset -8
        ret
        END     cm_call

        FUNCTION cm_tail
        COMPANION_SITE 0xe9, tail, cm_tail, KIND_TAIL, 2, "-8@%rdi -8@%rsi"
        END     cm_tail

        FUNCTION cm_flag
        COMPANION_SITE 0xe8, flag, cm_flag, KIND_ENABLED
        ret
        END     cm_flag

        FUNCTION cm_flag_tail
        COMPANION_SITE 0xe9, flag, cm_flag_tail, KIND_ENABLED_TAIL
        END     cm_flag_tail

        FUNCTION cm_flagged
        sub     $8, %rsp
        COMPANION_SITE 0xe8, flag, cm_flagged, KIND_CALL
        add     $8, %rsp
        ret
        END     cm_flagged

/* The call goes to another function: the record is not believed, the call stays. */
        FUNCTION cm_wrong
        sub     $8, %rsp
1:      .byte   0xe8
        .long   cm_target - . - 4
        RECORD  1b, wrong, cm_wrong, "", KIND_CALL, 0, COMPANION
        add     $8, %rsp
        ret
        END     cm_wrong

        FUNCTION cm_target
        incl    cm_target_calls(%rip)
        ret
        END     cm_target

        .bss
        .globl  cm_target_calls
        .balign 4
cm_target_calls:
        .zero   4

/* Sites on other pages, enough for several writes. */
        .text
        .globl  cm_many
        .type   cm_many, @function
cm_many:
        .cfi_startproc
        sub     $8, %rsp
        .cfi_adjust_cfa_offset 8
        .rept   600
        COMPANION_SITE 0xe8, call, cm_many, KIND_CALL, 2, "-8@%rdi -8@%rsi"
        .fill   20, 1, 0x90
        .endr
        add     $8, %rsp
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_endproc
        .size   cm_many, . - cm_many

        DSO
