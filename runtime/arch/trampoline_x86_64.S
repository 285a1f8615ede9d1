/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a stub jumps to when its probe is on. On entry, at any site that is a call or a tail call:
 *
 *     rdi rsi rdx rcx r8 r9   arguments 0-5           (%rsp)   return address
 *     %r10  struct sdt_probe                          8(%rsp)  arguments 6 and on
 *     %r11  address of the site's patch byte
 *
 * Every caller-saved register is dead there, vector registers included, so nothing is saved for the
 * site's sake: the argument registers are stored because they *are* the event.
 *
 * The frame has full CFI, so that debuggers and unwinders walk from a handler into the probed
 * function, and a personality routine of our own (unwind.c), which keeps exceptions inside handlers
 * and lets pthread_exit through.
 */

/* Offsets in struct sdt_event; dispatch.h asserts nothing: unwind.c does. */
#define EVENT_WORDS 0
#define EVENT_STACK 48
#define EVENT_PATCH 56
#define EVENT_PROBE 64
#define EVENT_SITE 72
#define EVENT_REGISTERS 80
#define EVENT_SIZE 96
#define PROBE_HITS 8

        .text
        .globl  trampoline_dispatch
        .hidden trampoline_dispatch
        .type   trampoline_dispatch, @function
        .p2align 4
trampoline_dispatch:
        .cfi_startproc
        .cfi_personality 0x1b, unwind_personality
        endbr64
        push    %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        and     $-16, %rsp
        sub     $EVENT_SIZE, %rsp
        mov     %rdi, EVENT_WORDS(%rsp)
        mov     %rsi, EVENT_WORDS+8(%rsp)
        mov     %rdx, EVENT_WORDS+16(%rsp)
        mov     %rcx, EVENT_WORDS+24(%rsp)
        mov     %r8, EVENT_WORDS+32(%rsp)
        mov     %r9, EVENT_WORDS+40(%rsp)
        lea     16(%rbp), %rax
        mov     %rax, EVENT_STACK(%rsp)
        mov     %r11, EVENT_PATCH(%rsp)
        mov     %r10, EVENT_PROBE(%rsp)
        movq    $0, EVENT_SITE(%rsp)
        movq    $0, EVENT_REGISTERS(%rsp)
        mov     %rsp, %rdi
        call    dispatch_event
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   trampoline_dispatch, . - trampoline_dispatch

        .globl  trampoline_count
        .hidden trampoline_count
        .type   trampoline_count, @function
        .p2align 4
trampoline_count:
        .cfi_startproc
        endbr64
        lock incq PROBE_HITS(%r10)
        ret
        .cfi_endproc
        .size   trampoline_count, . - trampoline_count

        .section .note.GNU-stack, "", @progbits
/* The processor may hold this object to its word: indirect branches land on endbr64 only. */
        .section .note.gnu.property, "a"
        .p2align 3
        .long   4, 16, 5
        .asciz  "GNU"
        .long   0xc0000002, 4, 3, 0
