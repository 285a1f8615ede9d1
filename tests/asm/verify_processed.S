/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A processed object by hand, written from <sdt/format.h> alone: what sdtlink must produce for a
 * call, an inline, a tail and an is-enabled site. The second reader is tried on it without the
 * tool's help.
 */
    .macro site_record site, kind, probe, function, nargs, args, entry
    .long   \site - .
    .ifb    \entry
    .long   __sdt_called_demo___\probe - .
    .long   __sdt_stub_demo___\probe - .
    .else
    .long   __sdt_probe_demo___\probe - .
    .long   \entry - .
    .endif
    .long   .Lname_\probe - .
    .long   \function - .
    .long   0
    .ifb    \args
    .long   0
    .else
    .long   \args - .
    .endif
    .long   0, 0
    .byte   \kind, \nargs
    .short  0
    .endm

    .macro define_probe symbol
    .section .bss.sdt_probes,"aw",@nobits
    .balign 16
    .weak   \symbol
    .hidden \symbol
    .type   \symbol, @object
    .size   \symbol, 16
\symbol:
    .skip   16
    .endm

    .macro define_called probe
    .section .rodata.sdt_str,"aMS",@progbits,1
.Lname_\probe:
    .asciz  "demo:\probe"
    define_probe __sdt_called_demo___\probe
    .section .text.sdt_stub,"axG",@progbits,__sdt_stub_demo___\probe,comdat
    .balign 32
    .weak   __sdt_stub_demo___\probe
    .hidden __sdt_stub_demo___\probe
    .type   __sdt_stub_demo___\probe, @function
__sdt_stub_demo___\probe:
    mov     (%rsp), %r11
    sub     $5, %r11
    lea     __sdt_called_demo___\probe(%rip), %r10
    mov     (%r10), %rax
    test    %rax, %rax
    je      1f
    jmp     *%rax
1:  ret
    .balign 32, 0xcc
    .size   __sdt_stub_demo___\probe, . - __sdt_stub_demo___\probe
    .endm

    .section .rodata.sdt_str,"aMS",@progbits,1
.Lwork:
    .asciz  "work"
.Lleave:
    .asciz  "leave"
.Largs:
    .asciz  "-4@%rdi 8p@%rsi"

    define_called first
    define_called second
    define_probe __sdt_probe_demo___second

    .text
    .globl  work
    .type   work, @function
work:
    push    %rbx
    mov     %edi, %ebx
.Lcall:
    .reloc  ., R_X86_64_NONE, sdt_sites
    .byte   0x90, 0x66, 0x0f, 0x1f, 0xc0
    lea     1(%rbx), %ebx
.Linline:
    .reloc  ., R_X86_64_NONE, sdt_sites
    .byte   0x90, 0x66, 0x0f, 0x1f, 0x84, 0xe9
    .long   .Lentry - . - 4
.Lresume:
.Lenabled:
    .reloc  ., R_X86_64_NONE, sdt_sites
    .byte   0xb8, 0, 0, 0, 0
    add     %ebx, %eax
    pop     %rbx
    ret
    .size   work, . - work

    .globl  leave
    .type   leave, @function
leave:
    lea     2(%rdi), %edi
.Ltail:
    .reloc  ., R_X86_64_NONE, sdt_sites
    .byte   0xc3
    .long   .Lloader - . - 4
    .size   leave, . - leave

    .section .text.sdt_loader,"ax",@progbits
    .balign 16
.Lloader:
    lea     .Ltail(%rip), %r11
    .byte   0xe9
    .long   __sdt_stub_demo___second + 8 - . - 4
    .byte   0xcc, 0xcc, 0xcc, 0xcc

    .section .text.sdt_entry,"ax",@progbits
    .balign 32
.Lentry:
    lea     -128(%rsp), %rsp
    call    *__sdt_probe_demo___second(%rip)
    .byte   0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0
    .byte   0xe9
    .long   .Lresume - . - 4
    .long   .Lrecord - .
    .long   __sdt_probe_demo___second - .

    .section sdt_sites,"ao",@progbits,.text
    .balign 4
    site_record .Lcall, 1, first, .Lwork, 2, .Largs
.Lrecord:
    site_record .Linline, 3, second, .Lwork, 0, , .Lentry
    site_record .Lenabled, 7, second, .Lwork, 0
    site_record .Ltail, 4, second, .Lleave, 0

    .section .note.GNU-stack,"",@progbits
