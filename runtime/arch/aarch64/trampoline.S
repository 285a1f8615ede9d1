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
#include "count.inc"
#include "macros.inc"

#define EVENT 16 /* after the frame record */
#define FRAME TRAMPOLINE_FRAME

        .text
        .macro  MAKE_EVENT name, dispatch
        FUNCTION \name
        .cfi_personality 0x1b, unwind_personality
        mov     x12, sp
        stp     x29, x30, [sp, #-FRAME]!
        .cfi_def_cfa_offset FRAME
        .cfi_offset x29, -FRAME
        .cfi_offset x30, -FRAME + 8
        mov     x29, sp
        stp     x0, x1, [sp, #EVENT + EVENT_WORDS]
        stp     x2, x3, [sp, #EVENT + EVENT_WORDS + 16]
        stp     x4, x5, [sp, #EVENT + EVENT_WORDS + 32]
        stp     x6, x7, [sp, #EVENT + EVENT_WORDS + 48]
        str     x12, [sp, #EVENT + EVENT_STACK]
        str     x11, [sp, #EVENT + EVENT_PATCH]
        str     x10, [sp, #EVENT + EVENT_PROBE]
        str     xzr, [sp, #EVENT + EVENT_SITE]
        str     xzr, [sp, #EVENT + EVENT_REGISTERS]
        add     x0, sp, #EVENT
        bl      \dispatch
        ldp     x29, x30, [sp], #FRAME
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        END     \name
        .endm

        MAKE_EVENT trampoline_dispatch, dispatch_event
        MAKE_EVENT trampoline_record, recorder_dispatch_call

        FUNCTION trampoline_count
        LOAD_STATE at_call
        COUNT_HIT at_call
        ret
        COUNT_HIT_RARELY at_call
        END     trampoline_count

/* The same for C: counters_add(struct hit_state *). */
        FUNCTION counters_add
        mov     x10, x0
        COUNT_HIT in_dispatch
        ret
        COUNT_HIT_RARELY in_dispatch
        END     counters_add

        END_OF_FILE
