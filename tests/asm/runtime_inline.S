/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites in the middle of live code: every register, the flags (in_flags), the vector state and the
 * red zone hold something; see runtime_inline.c. And a call through the GOT, whose patch byte is
 * its own.
 *
 * struct state: 16 registers, 16 words of red zone, flags, XSAVE area, its mask.
 */
#include "runtime_site.inc"

        PROBE   inline, registers
        PROBE   inline, flags
        .globl  E_registers
        .globl  F_flags
        PROBE   inline, leaf
        PROBE   inline, six
        PROBE   inline, call

        .set    ZONE, 128
        .set    FLAGS, 256
        .set    AREA, 264
        .set    MASK, 272

        .macro  WITH_REGISTERS name, probe, flags
        FUNCTION \name
        .irp    r, rbx, rbp, r12, r13, r14, r15
        push    %\r
        .cfi_adjust_cfa_offset 8
        .endr
        mov     %rdi, in_state(%rip)
        mov     AREA(%rdi), %rcx
        mov     MASK(%rdi), %eax
        xor     %edx, %edx
        xrstor64 (%rcx)
        push    FLAGS(%rdi)
        popfq
        .set    i, 0
        .rept   16
        mov     ZONE + i(%rdi), %rax
        mov     %rax, -128 + i(%rsp)
        .set    i, i + 8
        .endr
        mov     0(%rdi), %rax
        mov     8(%rdi), %rcx
        mov     16(%rdi), %rdx
        mov     24(%rdi), %rbx
        mov     40(%rdi), %rbp
        mov     48(%rdi), %rsi
        mov     64(%rdi), %r8
        mov     72(%rdi), %r9
        mov     80(%rdi), %r10
        mov     88(%rdi), %r11
        mov     96(%rdi), %r12
        mov     104(%rdi), %r13
        mov     112(%rdi), %r14
        mov     120(%rdi), %r15
        mov     56(%rdi), %rdi
        SITE_INLINE \probe, \name, 6, \
                "8@%rbx -4@%esi 8@-16(%rsp) 2@$77 8f@%xmm3 1@%r9b", \flags
        mov     %rdi, in_rdi(%rip)
        mov     in_state(%rip), %rdi
        mov     %rax, 0(%rdi)
        mov     %rcx, 8(%rdi)
        mov     %rdx, 16(%rdi)
        mov     %rbx, 24(%rdi)
        mov     %rbp, 40(%rdi)
        mov     %rsi, 48(%rdi)
        mov     %r8, 64(%rdi)
        mov     %r9, 72(%rdi)
        mov     %r10, 80(%rdi)
        mov     %r11, 88(%rdi)
        mov     %r12, 96(%rdi)
        mov     %r13, 104(%rdi)
        mov     %r14, 112(%rdi)
        mov     %r15, 120(%rdi)
        mov     in_rdi(%rip), %rax
        mov     %rax, 56(%rdi)
        mov     %rsp, 32(%rdi)
        .set    i, 0
        .rept   16
        mov     -128 + i(%rsp), %rax
        mov     %rax, ZONE + i(%rdi)
        .set    i, i + 8
        .endr
        pushfq
        pop     FLAGS(%rdi)
        mov     AREA(%rdi), %rcx
        mov     MASK(%rdi), %eax
        xor     %edx, %edx
        xsave64 (%rcx)
        cld
        .irp    r, r15, r14, r13, r12, rbp, rbx
        pop     %\r
        .cfi_adjust_cfa_offset -8
        .endr
        ret
        END     \name
        .endm

        WITH_REGISTERS in_registers, registers, 0
        WITH_REGISTERS in_flags, flags, 4

/* long in_leaf(long a): keeps its argument in the red zone only. */
        FUNCTION in_leaf
        mov     %rdi, -8(%rsp)
        mov     $-1, %rdi
        SITE_INLINE leaf, in_leaf, 1, "8@-8(%rsp)"
        mov     -8(%rsp), %rax
        ret
        END     in_leaf

/* The same with a stack pointer that is 8 off. */
        FUNCTION in_leaf_unaligned
        push    %rbp
        .cfi_adjust_cfa_offset 8
        mov     %rdi, -8(%rsp)
        SITE_INLINE leaf, in_leaf_unaligned, 1, "8@-8(%rsp)"
        mov     -8(%rsp), %rax
        pop     %rbp
        .cfi_adjust_cfa_offset -8
        ret
        END     in_leaf_unaligned

        FUNCTION in_six
        sub     $8, %rsp
        .cfi_adjust_cfa_offset 8
        SITE_CALL6 six, in_six, 1, "8@%rdi"
        add     $8, %rsp
        .cfi_adjust_cfa_offset -8
        ret
        END     in_six

        FUNCTION in_call
        sub     $8, %rsp
        .cfi_adjust_cfa_offset 8
        SITE_CALL call, in_call, 1, "8@%rdi"
        add     $8, %rsp
        .cfi_adjust_cfa_offset -8
        ret
        END     in_call

        .bss
        .balign 8
in_state: .quad 0
in_rdi: .quad   0

        DSO
