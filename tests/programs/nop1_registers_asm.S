/* SPDX-License-Identifier: BSD-2-Clause */
/* See nop1_registers.c. struct state: rax rbx rcx rdx rsi rdi rbp r8-r15, flags, below, vectors. */
#include <sys/sdt.h>

#define FLAGS 120
#define BELOW 128
#define VECTOR 256
#define X87 768

        .text
        .globl  through_the_probe
        .type   through_the_probe, @function
through_the_probe:
        .cfi_startproc
        push    %rbx
        .cfi_adjust_cfa_offset 8
        push    %rbp
        .cfi_adjust_cfa_offset 8
        push    %r12
        .cfi_adjust_cfa_offset 8
        push    %r13
        .cfi_adjust_cfa_offset 8
        push    %r14
        .cfi_adjust_cfa_offset 8
        push    %r15
        .cfi_adjust_cfa_offset 8
        push    %rsi
        .cfi_adjust_cfa_offset 8
        push    %rdx
        .cfi_adjust_cfa_offset 8
        test    %edx, %edx
        jz      1f
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vmovdqu VECTOR+32*\n(%rdi), %ymm\n
        .endr
        jmp     2f
1:
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movdqu  VECTOR+32*\n(%rdi), %xmm\n
        .endr
2:      fldl    X87(%rdi)
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        mov     BELOW+8*\n(%rdi), %rax
        mov     %rax, -128+8*\n(%rsp)
        .endr
        /* The flags come from the stack, where the red zone is in the way: by a detour. */
        lea     -256(%rsp), %rsp
        pushq   FLAGS(%rdi)
        mov     0(%rdi), %rax
        mov     8(%rdi), %rbx
        mov     16(%rdi), %rcx
        mov     24(%rdi), %rdx
        mov     32(%rdi), %rsi
        mov     48(%rdi), %rbp
        mov     56(%rdi), %r8
        mov     64(%rdi), %r9
        mov     72(%rdi), %r10
        mov     80(%rdi), %r11
        mov     88(%rdi), %r12
        mov     96(%rdi), %r13
        mov     104(%rdi), %r14
        mov     112(%rdi), %r15
        mov     40(%rdi), %rdi
        popfq
        lea     256(%rsp), %rsp

        STAP_PROBE5(asm, middle, 8@%rbx, 1@%ch, 8@%xmm5, 8@-8(%rsp), -4@%r15d)

        lea     -264(%rsp), %rsp
        pushfq
        push    %rdi
        mov     280+8(%rsp), %rdi
        mov     %rax, 0(%rdi)
        mov     %rbx, 8(%rdi)
        mov     %rcx, 16(%rdi)
        mov     %rdx, 24(%rdi)
        mov     %rsi, 32(%rdi)
        mov     %rbp, 48(%rdi)
        mov     %r8, 56(%rdi)
        mov     %r9, 64(%rdi)
        mov     %r10, 72(%rdi)
        mov     %r11, 80(%rdi)
        mov     %r12, 88(%rdi)
        mov     %r13, 96(%rdi)
        mov     %r14, 104(%rdi)
        mov     %r15, 112(%rdi)
        pop     40(%rdi)
        pop     FLAGS(%rdi)
        lea     264(%rsp), %rsp
        cld
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        mov     -128+8*\n(%rsp), %rax
        mov     %rax, BELOW+8*\n(%rdi)
        .endr
        fstpl   X87(%rdi)
        pop     %rdx
        .cfi_adjust_cfa_offset -8
        test    %edx, %edx
        jz      1f
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vmovdqu %ymm\n, VECTOR+32*\n(%rdi)
        .endr
        vzeroupper
        jmp     2f
1:
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movdqu  %xmm\n, VECTOR+32*\n(%rdi)
        .endr
2:      pop     %rsi
        .cfi_adjust_cfa_offset -8
        pop     %r15
        .cfi_adjust_cfa_offset -8
        pop     %r14
        .cfi_adjust_cfa_offset -8
        pop     %r13
        .cfi_adjust_cfa_offset -8
        pop     %r12
        .cfi_adjust_cfa_offset -8
        pop     %rbp
        .cfi_adjust_cfa_offset -8
        pop     %rbx
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_endproc
        .size   through_the_probe, . - through_the_probe
        .section .note.GNU-stack, "", @progbits
