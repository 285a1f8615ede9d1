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
#include "count.inc"
#include "macros.inc"

#define FRAME TRAMPOLINE_FRAME

        .text
        .macro  MAKE_EVENT name, dispatch
        FUNCTION \name
        .cfi_personality 0x1b, unwind_personality
        addi    sp, sp, -FRAME
        .cfi_def_cfa_offset FRAME
        sd      ra, FRAME - 8(sp)
        sd      s0, FRAME - 16(sp)
        .cfi_offset ra, -8
        .cfi_offset s0, -16
        addi    s0, sp, FRAME
        sd      a0, EVENT_WORDS(sp)
        sd      a1, EVENT_WORDS + 8(sp)
        sd      a2, EVENT_WORDS + 16(sp)
        sd      a3, EVENT_WORDS + 24(sp)
        sd      a4, EVENT_WORDS + 32(sp)
        sd      a5, EVENT_WORDS + 40(sp)
        sd      a6, EVENT_WORDS + 48(sp)
        sd      a7, EVENT_WORDS + 56(sp)
        sd      s0, EVENT_STACK(sp)
        sd      t2, EVENT_PATCH(sp)
        sd      t0, EVENT_PROBE(sp)
        sd      zero, EVENT_SITE(sp)
        sd      zero, EVENT_REGISTERS(sp)
        mv      a0, sp
        call    \dispatch
        ld      ra, FRAME - 8(sp)
        ld      s0, FRAME - 16(sp)
        .cfi_restore ra
        .cfi_restore s0
        addi    sp, sp, FRAME
        .cfi_def_cfa_offset 0
        ret
        END     \name
        .endm

        MAKE_EVENT trampoline_dispatch, dispatch_event
        MAKE_EVENT trampoline_record, recorder_dispatch_call

        FUNCTION trampoline_count
        LOAD_STATE trampoline
        COUNT_HIT trampoline
        ret
        COUNT_HIT_RARELY trampoline
        END     trampoline_count

/* The same for C: counters_add(struct hit_state *). */
        FUNCTION counters_add
        mv      t0, a0
        COUNT_HIT counters_add
        ret
        COUNT_HIT_RARELY counters_add
        END     counters_add

        END_OF_FILE
