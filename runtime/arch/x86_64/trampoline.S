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

#include "count.inc"
#include "macros.inc"

        .text
        .macro  MAKE_EVENT name, dispatch
        FUNCTION \name
        .cfi_personality 0x1b, unwind_personality
        endbr64
        PUSH_KEPT rbp
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
        call    \dispatch
        leave
        .cfi_def_cfa %rsp, 8
        ret
        END     \name
        .endm

        MAKE_EVENT trampoline_dispatch, dispatch_event
        MAKE_EVENT trampoline_record, recorder_dispatch_call

        FUNCTION trampoline_count
        endbr64
        LOAD_STATE
        COUNT_HIT at_call, rax, r11
        ret
        COUNT_HIT_RARELY at_call, rax
        END     trampoline_count

/* The same for C: counters_add(struct hit_state *). */
        FUNCTION counters_add
        mov     %rdi, %r10
        COUNT_HIT in_dispatch, rax, r11
        ret
        COUNT_HIT_RARELY in_dispatch, rax
        END     counters_add

        END_OF_FILE
