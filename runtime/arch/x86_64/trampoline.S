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
#define PERSONALITY .cfi_personality 0x1b, unwind_personality
#define RETURN_FROM_HIT ret

#include "count.inc"
#include "event.inc"
#include "macros.inc"

        .text
        MAKE_EVENT trampoline_dispatch, dispatch_event
        MAKE_EVENT trampoline_record, recorder_dispatch_call

        FUNCTION trampoline_count
        endbr64
        LOAD_STATE
        COUNT_HIT at_call, rax, r11
        ret
        COUNT_HIT_RARELY at_call, rax
        END     trampoline_count

/* The same for C: counters_add(), whose second argument is not needed here. */
        FUNCTION counters_add
        mov     %rdi, %r10
        COUNT_HIT in_dispatch, rax, r11
        ret
        COUNT_HIT_RARELY in_dispatch, rax
        END     counters_add

        END_OF_FILE
