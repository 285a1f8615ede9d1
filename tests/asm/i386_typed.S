/* SPDX-License-Identifier: BSD-2-Clause */
/* A call whose arguments a descriptor describes (<sdt/format.h>): tests/programs/i386_typed.c. */
        .text
        .globl  sell_typed
sell_typed:
        sub     $40, %esp
        fld1
        fstpl   28(%esp)
        fldpi
        fstpl   16(%esp)
        movl    $-7, (%esp)
        movl    $0x89abcdef, 4(%esp)
        movl    $0x1234567, 8(%esp)
        movl    $200, 12(%esp)
        movl    $99, 24(%esp)
        call    __dtrace_sdt_shop___typed
1:      add     $40, %esp
        ret
        .section .sdt_args,"e",@progbits
        .long   1b - .
        .byte   1, 6, 0x14, 0x08, 0x01, 0x28, 0x04, 0x24
        .asciz  "shop"
        .asciz  "typed"
        .section .note.GNU-stack, "", @progbits
