/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copying memory that may not be there. The loads that can fault are between copy_begin and
 * copy_end, or record_begin and record_end; fault.c has a thread that gets SIGSEGV or SIGBUS there
 * go on at copy_fault.
 *
 *     long copy_text(uint64_t *to, uintptr_t from, size_t most, bool is_text)
 *
 * At most MOST bytes; with IS_TEXT those before the first NUL. Returns how many, or -1. It
 * loads aligned words only, which never leave the page of a byte that is asked for, and stores
 * whole words, each of two neighbours: bytes one by one would make a later load of them as a word
 * wait. Each word is loaded once: what is stored is what was tested, if others are writing it.
 *
 *     %rdi to        %rdx bytes from %rsi on     %r9   in each byte 01
 *     %rsi from      %ecx bits before FROM  %r10  in each byte 80, or 0: no byte is an end
 *     %rax the word at %rsi      %r8, %r11 scratch     -8(%rsp) where TO began
 */
#include "macros.inc"

        .globl  copy_begin, copy_end, copy_fault, record_begin, record_end
        .hidden copy_begin, copy_end, copy_fault, record_begin, record_end

        /* In %r11: zero, or of the first byte of %rax that is zero, bit 7. %r8 changes:
         * (word - 01…) & ~word & 80… */
        .macro  FIND_NUL
        mov     %rax, %r8
        mov     %rax, %r11
        not     %r8
        sub     %r9, %r11
        and     %r10, %r8
        and     %r8, %r11
        .endm

        .text
        FUNCTION copy_text, 6
        endbr64
        xor     %eax, %eax
        test    %rdx, %rdx
        jz      5f
        movabs  $0x0101010101010101, %r9
        movabs  $0x8080808080808080, %r10
        movzbl  %cl, %eax
        neg     %rax
        and     %rax, %r10
        mov     %rdi, -8(%rsp)
        mov     %esi, %ecx
        and     $7, %ecx
        jnz     2f
copy_begin:
        /* Text that is aligned is what most malloc()s return; this is half the instructions. */
1:      mov     (%rsi), %rax
        FIND_NUL
        mov     %rax, (%rdi)
        jnz     4f
        add     $8, %rsi
        add     $8, %rdi
        sub     $8, %rdx
        ja      1b
        lea     (%rdi,%rdx), %rax /* %rdx: less what the last word has too much */
        sub     -8(%rsp), %rax
        ret

2:      sub     %rcx, %rsi
        add     %rcx, %rdx
        shl     $3, %ecx
        mov     (%rsi), %rax
        mov     $-1, %r11 /* what is before FROM should be no NUL */
        shl     %cl, %r11
        not     %r11
        or      %r11, %rax
3:      FIND_NUL
        jnz     4f
        cmp     $8, %rdx
        jbe     6f
        mov     8(%rsi), %r8
        shr     %cl, %rax
        mov     %r8, %r11
        neg     %ecx /* counts are modulo 64 */
        shl     %cl, %r11
        neg     %ecx
        or      %r11, %rax
        mov     %rax, (%rdi)
        mov     %r8, %rax
        add     $8, %rdi
        add     $8, %rsi
        sub     $8, %rdx
        jmp     3b
copy_end:
        /* The end is in this word: after so many bytes of it, or before the NUL. */
4:      rep bsf %r11, %r11
        shr     $3, %r11
        cmp     %rdx, %r11
        cmovb   %r11, %rdx
6:      shr     %cl, %rax
        mov     %rax, (%rdi)
        shr     $3, %ecx
        lea     (%rdi,%rdx), %rax
        sub     %rcx, %rax
        sub     -8(%rsp), %rax
5:      ret
copy_fault:
        mov     $-1, %rax
        ret
        END     copy_text

/*
 * long copy_record(uint64_t to[4], uintptr_t from): three words, wherever they are, and a byte.
 * Returns 0, or -1.
 */
        FUNCTION copy_record
        endbr64
record_begin:
        mov     (%rsi), %rax
        mov     8(%rsi), %rcx
        mov     16(%rsi), %rdx
        movzbl  24(%rsi), %r8d
record_end:
        mov     %rax, (%rdi)
        mov     %rcx, 8(%rdi)
        mov     %rdx, 16(%rdi)
        mov     %r8, 24(%rdi)
        xor     %eax, %eax
        ret
        END     copy_record

/*
 * uint64_t clock_cycles(void): RDTSC, which is SIGSEGV in a thread under strict seccomp or after
 * PR_SET_TSC. fault.c has it be 0 then: time stands still.
 */
        .globl  clock_instruction
        .hidden clock_instruction
        FUNCTION clock_cycles
        endbr64
clock_instruction:
        rdtsc
        shl     $32, %rdx
        or      %rdx, %rax
        ret
        END     clock_cycles

/*
 * void context_restorer(void): where a handler returns to, as glibc's. Unwinders and debuggers know
 * a signal's frame by these bytes, where there is no description. The NOP: they examine what is
 * before them.
 */
        .p2align 4
        nop
        .globl  context_restorer
        .hidden context_restorer
        .type   context_restorer, @function
context_restorer:
        mov     $15, %rax
        syscall
        .size   context_restorer, . - context_restorer

        END_OF_FILE
