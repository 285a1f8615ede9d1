/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a stub jumps to when its probe is on. On entry, at any site that is a call or a tail call:
 *
 *     x0 to x7   arguments 0-7                        sp       arguments 8 and on
 *     x10        struct sdt_probe                     x30      return address
 *     x11        address of the site's word
 *
 * Every caller-saved register is dead there, vector registers included, so nothing is saved for the
 * site's sake: the argument registers are stored because they *are* the event. A stub comes by
 * `br x16`, which may land on `bti c`.
 *
 * The frame has full CFI, so that debuggers and unwinders walk from a handler into the probed
 * function, and a personality routine of our own (unwind.c), which keeps exceptions inside handlers
 * and lets pthread_exit through.
 */
#define PERSONALITY .cfi_personality 0x1b, unwind_personality

#include "count.inc"
#include "event.inc"
#include "macros.inc"

        .text
        MAKE_EVENT trampoline_dispatch, dispatch_event
        MAKE_EVENT trampoline_record, recorder_dispatch_call

        FUNCTION trampoline_count
        LOAD_STATE at_call
        COUNT_HIT at_call
        ret
        COUNT_HIT_RARELY at_call
        END     trampoline_count

/* The same for C: counters_add(), whose second argument is not needed here. */
        FUNCTION counters_add
        mov     x10, x0
        COUNT_HIT in_dispatch
        ret
        COUNT_HIT_RARELY in_dispatch
        END     counters_add

        END_OF_FILE
