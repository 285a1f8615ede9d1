/* SPDX-License-Identifier: BSD-2-Clause */
/* One site of each kind that the tool rewrites, in assembler, so that the plan is fixed. */
        .text
        .globl  work
        .type   work, @function
work:   call    __dtrace_sdt_app___start
1:      call    __dtrace_sdtenabled_app___start
        call    __dtrace_sdt_vfs___mod___fn___entry
        jmp     __dtrace_sdt_app___end
        .size   work, . - work
        .type   work.cold, @function
work.cold:
        jmp     __dtrace_sdtenabled_app___start
        .size   work.cold, . - work.cold

        .section .text.other, "axG", @progbits, other, comdat
        .weak   other
        .type   other, @function
other:  nop
        call    __dtrace_sdt_app___end
        ret
        .size   other, . - other

        .section .sdt_args, "e", @progbits
        .long   1b - .
        .byte   1, 3, 0x14, 0x48, 0x28
        .asciz  "app"
        .asciz  "start"

        .section .note.GNU-stack, "", @progbits
