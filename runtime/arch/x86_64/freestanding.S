/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions that a freestanding set names (<sdt/format.h>): __sdt_enter, __sdt_enter_call and
 * __sdt_finish. Who assembles this for a kernel whose functions return in another way, or whose
 * stacks are aligned otherwise, says so:
 *
 *     RETURN_FROM_HIT   how functions return: in Linux, -include asm/linkage.h and RET
 *     STACK_ALIGNMENT   8: no more than the processor keeps; its C is compiled for that
 *
 * objtool of Linux follows the stack through all of this if STACK_ALIGNMENT is 8.
 */
#ifndef RETURN_FROM_HIT
#define RETURN_FROM_HIT ret
#endif
#ifndef STACK_ALIGNMENT
#define STACK_ALIGNMENT 16
#endif
#define PERSONALITY

#include "macros.inc"
#include "event.inc"

        .macro  PUBLIC name, function
        .globl  \name
        .type   \name, @function
        .set    \name, \function
        .endm

/*
 * What entries call. The stack, from the return address into the entry on, which is at 8 bytes
 * below 128 that the entry leaves:
 *
 *     struct registers, which ends in that return address
 *     struct sdt_event
 */
#define REGISTERS_BELOW (REGISTERS_ENTRY - REGISTERS_GENERAL) /* pushed: 16 registers */
#define STACK_BEFORE (128 + 8)                                /* before the entry */

        .cfi_sections .debug_frame /* for debuggers: kernels have no .eh_frame */
        .text
        FUNCTION enter_entry
        endbr64
        .irp    register, r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp
        PUSH_KEPT \register
        .endr
        push    %rsp
        .cfi_adjust_cfa_offset 8
        addq    $(11 * 8 + STACK_BEFORE), (%rsp)
        .irp    register, rbx, rdx, rcx, rax
        PUSH_KEPT \register
        .endr
        mov     REGISTERS_BELOW(%rsp), %r11
        movslq  ENTRY_PROBE(%r11), %r10
        lea     ENTRY_PROBE(%r11, %r10), %r10
        sub     $(REGISTERS_GENERAL + EVENT_SIZE), %rsp
        .cfi_adjust_cfa_offset REGISTERS_GENERAL + EVENT_SIZE
        lea     EVENT_SIZE(%rsp), %rsi
        mov     %r10, EVENT_PROBE(%rsp)
        movq    $0, EVENT_SITE(%rsp)
        mov     %rsi, EVENT_REGISTERS(%rsp)
        mov     %rsp, %rdi
#if STACK_ALIGNMENT > 8
        mov     %rsp, %rbx
        .cfi_def_cfa_register %rbx
        and     $-STACK_ALIGNMENT, %rsp
        call    enter_dispatch
        mov     %rbx, %rsp
        .cfi_def_cfa_register %rsp
#else
        call    enter_dispatch
#endif
        add     $(REGISTERS_GENERAL + EVENT_SIZE), %rsp
        .cfi_adjust_cfa_offset -(REGISTERS_GENERAL + EVENT_SIZE)
        .irp    register, rax, rcx, rdx, rbx
        POP_KEPT \register
        .endr
        add     $8, %rsp
        .cfi_adjust_cfa_offset -8
        .irp    register, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
        POP_KEPT \register
        .endr
        RETURN_FROM_HIT
        END     enter_entry
        PUBLIC  __sdt_enter, enter_entry

        MAKE_EVENT enter_call, dispatch_event
        PUBLIC  __sdt_enter_call, enter_call

        FUNCTION finish
        endbr64
        RETURN_FROM_HIT
        END     finish
        PUBLIC  __sdt_finish, finish

        END_OF_FILE
