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
#define PERSONALITY .cfi_personality 0x1b, unwind_personality

#include "count.inc"
#include "macros.inc"
#include "save.inc"

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
