/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a stub jumps to when its probe is on. On entry, at any site that is a call or a tail call:
 *
 *     a0 to a7   arguments 0-7                        sp       arguments 8 and on
 *     t0         struct sdt_probe                     ra       return address
 *     t2         address of the site's patch parcel
 *
 * Every caller-saved register is dead there, those of floating point and vectors included, so
 * nothing is saved for the site's sake: the argument registers are stored because they *are* the
 * event.
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
        LOAD_STATE trampoline
        COUNT_HIT trampoline
        ret
        COUNT_HIT_RARELY trampoline
        END     trampoline_count

/* The same for C: counters_add(), whose second argument is not needed here. */
        FUNCTION counters_add
        mv      t0, a0
        COUNT_HIT counters_add
        ret
        COUNT_HIT_RARELY counters_add
        END     counters_add

        END_OF_FILE
