/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the entries of sites with live registers call (<sdt/format.h>, SDT_ENTRY_SIZE): keep every
 * register that such a site may have in use, and do there what the trampolines do at a call. Which
 * of these functions it is says sdt_probe.way. On entry:
 *
 *     x30         return into the entry, where it is written whose it is: ENTRY_PROBE …
 *     sp          x30 as it was, and 8 bytes
 *     sp + 16     the probed function's stack
 *
 * The entry has unwind information of its own, which leads to the probed function (sdtlink's
 * arch/aarch64/unwind.c), so what is here are ordinary functions.
 *
 * The flags are dead at an asm statement of ours, which clobbers them. At other sites (…_flags)
 * they are kept. Vector registers are kept by vector.S.
 */
#include "count.inc"
#include "macros.inc"

        .text

/* The probe has been disabled, but a thread was already on its way here. */
        FUNCTION entry_nothing
        ret
        END     entry_nothing
        .globl  entry_nothing_flags
        .hidden entry_nothing_flags
        .set    entry_nothing_flags, entry_nothing

        .macro  COUNT name
        FUNCTION \name
        stp     x9, x10, [sp, #-32]!
        .cfi_def_cfa_offset 32
        stp     x12, x13, [sp, #16]
        ldrsw   x9, [x30, #ENTRY_PROBE]
        add     x10, x30, #ENTRY_PROBE
        add     x10, x10, x9
        LOAD_STATE \name
        COUNT_HIT \name
        ldp     x12, x13, [sp, #16]
        ldp     x9, x10, [sp], #32
        .cfi_def_cfa_offset 0
        ret
        COUNT_HIT_RARELY \name
        END     \name
        .endm

/* Counting changes no flags. */
        COUNT   entry_count
        COUNT   entry_count_flags

/*
 * The frame, from the stack pointer on, which x29 has as well:
 *
 *     x29, x30              a frame record
 *     struct sdt_event
 *     struct registers
 *     the flags, 8 bytes
 *
 * DISPATCH gets the event in x0; it may change what calls may change, but no vector register.
 * It preserves x19 to x28 itself; x18 is the platform's and is never changed.
 */
#define EVENT 16
#define REGISTERS (EVENT + EVENT_SIZE)
#define GENERAL(n) (REGISTERS + REGISTERS_GENERAL + 8 * (n))
#define FLAGS (REGISTERS + REGISTERS_SIZE)
#define FRAME (FLAGS + 16)

        .macro  SAVE name, flags, is_general, dispatch
        FUNCTION \name
        .cfi_personality 0x1b, unwind_personality
        stp     x29, x30, [sp, #-FRAME]!
        .cfi_def_cfa_offset FRAME
        .cfi_offset x29, -FRAME
        .cfi_offset x30, -FRAME + 8
        stp     x0, x1, [sp, #GENERAL(0)]
        stp     x2, x3, [sp, #GENERAL(2)]
        stp     x4, x5, [sp, #GENERAL(4)]
        stp     x6, x7, [sp, #GENERAL(6)]
        stp     x8, x9, [sp, #GENERAL(8)]
        stp     x10, x11, [sp, #GENERAL(10)]
        stp     x12, x13, [sp, #GENERAL(12)]
        stp     x14, x15, [sp, #GENERAL(14)]
        stp     x16, x17, [sp, #GENERAL(16)]
        stp     x18, x19, [sp, #GENERAL(18)]
        stp     x20, x21, [sp, #GENERAL(20)]
        stp     x22, x23, [sp, #GENERAL(22)]
        stp     x24, x25, [sp, #GENERAL(24)]
        stp     x26, x27, [sp, #GENERAL(26)]
        stp     x28, x29, [sp, #GENERAL(28)]
        mov     x29, sp
        ldr     x0, [sp, #FRAME]      /* x30, by the entry */
        add     x1, sp, #FRAME + 16   /* sp */
        stp     x0, x1, [sp, #GENERAL(30)]
        str     x30, [sp, #REGISTERS + REGISTERS_ENTRY]
        .if     \flags
        mrs     x0, nzcv
        str     x0, [sp, #FLAGS]
        .endif
        ldrsw   x0, [x30, #ENTRY_PROBE]
        add     x1, x30, #ENTRY_PROBE
        add     x0, x0, x1
        add     x1, sp, #REGISTERS
        str     x0, [sp, #EVENT + EVENT_PROBE]
        stp     xzr, x1, [sp, #EVENT + EVENT_SITE] /* and EVENT_REGISTERS */
        .if     \is_general
        /*
         * Handlers leave vector registers alone, and so does the runtime: its files on this path
         * are compiled for general registers only. But not the C library, which is called when a
         * thread comes for the first time: then they are kept for that, and no longer.
         */
        str     xzr, [sp, #REGISTERS + REGISTERS_VECTORS] /* argument.c asks vector_low() */
        HAS_READER 2f
        .endif
3:      add     x0, sp, #EVENT
        bl      \dispatch
1:
        .if     \flags
        ldr     x0, [sp, #FLAGS]
        msr     nzcv, x0
        .endif
        ldp     x0, x1, [sp, #GENERAL(0)]
        ldp     x2, x3, [sp, #GENERAL(2)]
        ldp     x4, x5, [sp, #GENERAL(4)]
        ldp     x6, x7, [sp, #GENERAL(6)]
        ldp     x8, x9, [sp, #GENERAL(8)]
        ldp     x10, x11, [sp, #GENERAL(10)]
        ldp     x12, x13, [sp, #GENERAL(12)]
        ldp     x14, x15, [sp, #GENERAL(14)]
        ldp     x16, x17, [sp, #GENERAL(16)]
        ldp     x29, x30, [sp], #FRAME
        .cfi_remember_state
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_restore_state
        .if     \is_general
2:      bl      vector_claim
        HAS_READER 1b /* out of memory: no handler is called */
        b       3b
        .endif
        END     \name
        .endm

/* Go to NOT if the thread has no record yet (sync.h). x0 and x1 change. */
        .macro  HAS_READER not
        adrp    x0, :gottprel:sync_self
        ldr     x0, [x0, :gottprel_lo12:sync_self]
        mrs     x1, tpidr_el0
        ldr     x0, [x1, x0]
        cbz     x0, \not
        .endm

        SAVE    entry_save, 0, 0, vector_dispatch
        SAVE    entry_save_flags, 1, 0, vector_dispatch
        SAVE    entry_general, 0, 1, dispatch_general
        SAVE    entry_general_flags, 1, 1, dispatch_general
        SAVE    entry_record, 0, 1, recorder_dispatch
        SAVE    entry_record_flags, 1, 1, recorder_dispatch

        END_OF_FILE
