/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copying memory that may not be there. The two loads that can fault are between copy_begin and
 * copy_end; fault.c has a thread that gets SIGSEGV or SIGBUS there go on at copy_fault. A load of
 * an aligned word never leaves the page that its first byte is in.
 *
 *     long copy_text(char *to, uintptr_t from, size_t most, bool is_text)
 *
 * At most MOST bytes; with IS_TEXT those in front of the first NUL. Returns how many, or -1. It may
 * read, but does not store, up to 7 bytes more than MOST.
 *
 *     %rdi to, %rsi from, %rdx most, %ecx is_text, %rax how many so far; %r9 and %r10: in each byte
 *     01 and 80
 */
#include "macros_x86_64.inc"

        .globl  copy_begin, copy_end, copy_fault
        .hidden copy_begin, copy_end, copy_fault

        .text
        FUNCTION copy_text, 6
        endbr64
        xor     %eax, %eax
        movzbl  %cl, %ecx
        movabs  $0x0101010101010101, %r9
        movabs  $0x8080808080808080, %r10
        jmp     2f
copy_begin:
1:      movzbl  (%rsi,%rax), %r8d
        test    %r8b, %r8b
        sete    %r11b
        test    %r11b, %cl
        jne     4f /* the end of the text */
        mov     %r8b, (%rdi,%rax)
        inc     %rax
2:      cmp     %rdx, %rax
        jae     4f
        lea     (%rsi,%rax), %r8
        test    $7, %r8b
        jne     1b
        lea     8(%rax), %r8
        cmp     %rdx, %r8
        ja      1b
        mov     (%rsi,%rax), %r8
        test    %ecx, %ecx
        je      3f
        /* Whether one of the bytes is zero: (word - 01…) & ~word & 80… is not. */
        mov     %r8, %r11
        not     %r11
        and     %r10, %r11
        mov     %r8, (%rdi,%rax)
        sub     %r9, %r8
        test    %r8, %r11
        jne     1b
        add     $8, %rax
        jmp     2b
3:      mov     %r8, (%rdi,%rax)
        add     $8, %rax
        jmp     2b
4:      ret
copy_end:
copy_fault:
        mov     $-1, %rax
        ret
        END     copy_text

        END_OF_FILE
