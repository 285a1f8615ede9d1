/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the entries of sites with live registers call (<sdt/format.h>, SDT_ENTRY_SIZE): keep every
 * register that such a site may have in use, and do there what the trampolines do at a call. Which
 * of these functions it is says sdt_probe.enter. On entry:
 *
 *     t1         return into the entry, where it is written whose it is: ENTRY_PROBE …
 *     sp         the probed function's stack; nothing below is in use
 *
 * t1 is the one register that an inline site gives away, and so the link register here: ra is the
 * program's. The entry has unwind information of its own, which leads to the probed function
 * (sdtlink's arch/riscv64/unwind.c), so what is here are functions that return by t1.
 *
 * There are no flags on this machine: the functions for sites with live ones are the same. The
 * registers of floating point and vectors are kept by vector.S.
 */
#include "count.inc"
#include "macros.inc"

        .macro  BY_T1 name
        FUNCTION \name
        .cfi_return_column t1
        .endm

        .macro  ALIAS name, other
        .globl  \name
        .hidden \name
        .set    \name, \other
        .endm

        .text

/* Nobody is interested any more, but a thread was on its way. */
        BY_T1   entry_nothing
        jr      t1
        END     entry_nothing

        BY_T1   entry_count
        addi    sp, sp, -16
        .cfi_def_cfa_offset 16
        sd      t0, 0(sp)
        sd      t2, 8(sp)
        lw      t0, ENTRY_PROBE(t1)
        add     t0, t0, t1
        addi    t0, t0, ENTRY_PROBE
        COUNT_HIT
        ld      t0, 0(sp)
        ld      t2, 8(sp)
        addi    sp, sp, 16
        .cfi_def_cfa_offset 0
        jr      t1
        END     entry_count

/*
 * The frame, from the stack pointer on:
 *
 *     struct sdt_event
 *     struct registers
 *     two words, to align
 *
 * DISPATCH gets the event in a0; it may change what calls may change, but no register of floating
 * point or vectors. gp and tp nobody changes; s0 to s11 are its business.
 */
#define REGISTERS EVENT_SIZE
#define FRAME (REGISTERS + REGISTERS_SIZE)
#define GENERAL(n) (REGISTERS + REGISTERS_GENERAL + 8 * (n))

        .macro  EACH_SAVED do
        .irp    n, 1, 5, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31
        \do     x\n, GENERAL(\n)(sp)
        .endr
        .endm

        .macro  SAVE name, dispatch
        BY_T1   \name
        .cfi_personality 0x1b, unwind_personality
        addi    sp, sp, -FRAME
        .cfi_def_cfa_offset FRAME
        sd      t1, GENERAL(6)(sp)
        .cfi_offset t1, GENERAL(6) - FRAME
        EACH_SAVED sd
        .cfi_offset ra, GENERAL(1) - FRAME
        .irp    n, 3, 4, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
        sd      x\n, GENERAL(\n)(sp)
        .endr
        addi    a0, sp, FRAME
        sd      zero, GENERAL(0)(sp)
        sd      a0, GENERAL(2)(sp)
        sd      t1, REGISTERS + REGISTERS_ENTRY(sp)
        lw      a0, ENTRY_PROBE(t1)
        add     a0, a0, t1
        addi    a0, a0, ENTRY_PROBE
        addi    a1, sp, REGISTERS
        sd      a0, EVENT_PROBE(sp)
        sd      zero, EVENT_SITE(sp)
        sd      a1, EVENT_REGISTERS(sp)
        mv      a0, sp
        call    \dispatch
        EACH_SAVED ld
        ld      t1, GENERAL(6)(sp)
        .cfi_restore ra
        .cfi_restore t1
        addi    sp, sp, FRAME
        .cfi_def_cfa_offset 0
        jr      t1
        END     \name
        .endm

/*
 * The compilers cannot be told to leave registers of floating point alone while they pass arguments
 * in them, so all that may be called is called with them kept.
 */
        SAVE    entry_save, vector_dispatch
        SAVE    entry_record, vector_record

        ALIAS   entry_general, entry_save
        ALIAS   entry_count_flags, entry_count
        ALIAS   entry_save_flags, entry_save
        ALIAS   entry_general_flags, entry_save
        ALIAS   entry_record_flags, entry_record

        END_OF_FILE
