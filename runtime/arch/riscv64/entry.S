/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the entries of sites with live registers call (<sdt/format.h>, SDT_ENTRY_SIZE): keep every
 * register that such a site may have in use, and do there what the trampolines do at a call. Which
 * of these functions it is says sdt_probe.way. On entry:
 *
 *     t1         return into the entry, where it is written whose it is: ENTRY_PROBE …
 *     sp         the probed function's stack; nothing below is in use
 *
 * t1 is the one register that an inline site gives away, and so the link register here: ra is the
 * program's. The entry has unwind information of its own, which leads to the probed function
 * (sdtlink's arch/riscv64/unwind.c), so what is here are functions that return by t1.
 *
 * A note of <sys/sdt.h> gives nothing away. Its entry keeps t1 on the stack, and calls the second
 * function of each kind, which on other machines is for sites with live flags; there are none here.
 * On entry:
 *
 *     t1         where the entry has the distance of what is after the site; NOTE_PROBE …
 *     sp         a word of room, then t1 as it was
 *     sp + 16    the probed function's stack
 *
 * No instruction goes somewhere far and changes no register, so there is no way back but a second
 * breakpoint, entry_leave: the signal handler takes the address from the word of room, and the 16
 * bytes from the stack (<machine/context.h>).
 *
 * The registers of floating point and vectors are kept by vector.S.
 */
#define PERSONALITY .cfi_personality 0x1b, unwind_personality

#include "count.inc"
#include "macros.inc"
#include "save.inc"

/*
 * A function that a note's entry calls. The caller is the probed function, at the end of the site:
 * column 64, the psABI's second one for return addresses. It is t1 + *(int32_t *)t1, and from
 * KEEP_WAY_BACK on in memory.
 */
#define WAY_BACK_SIZE 16
        .macro  OF_NOTE name
        FUNCTION \name
        .cfi_return_column 64
        .cfi_def_cfa_offset WAY_BACK_SIZE
        .cfi_offset t1, -8
        /* DW_CFA_val_expression: breg6 0, dup, deref_size 4, const1u 32, shl, const1u 32, shra,
         * plus */
        .cfi_escape 0x16, 64, 12, 0x76, 0, 0x12, 0x94, 4, 0x08, 32, 0x24, 0x08, 32, 0x26, 0x22
        .endm

/* FRAME bytes below what the entry has pushed. BY changes, and t1 stays. */
        .macro  KEEP_WAY_BACK by, frame
        lw      \by, 0(t1)
        add     \by, \by, t1
        sd      \by, \frame(sp)
        .cfi_offset 64, -16
        .endm

/* All registers but t1 are as they were, and the frame is gone. */
        .macro  LEAVE
        ld      t1, 8(sp)
        j       entry_leave
        .endm

        .text

        .globl  entry_leave
        .hidden entry_leave
        FUNCTION entry_leave_by_trap
        .cfi_return_column 64
        .cfi_def_cfa_offset WAY_BACK_SIZE
        .cfi_offset 64, -16
entry_leave:
        ebreak
        END     entry_leave_by_trap

/* The probe has been disabled, but a thread was already on its way here. */
        BY_T1   entry_nothing
        jr      t1
        END     entry_nothing

        OF_NOTE entry_nothing_flags
        addi    sp, sp, -16
        .cfi_def_cfa_offset WAY_BACK_SIZE + 16
        sd      t0, 0(sp)
        KEEP_WAY_BACK t0, 16
        ld      t0, 0(sp)
        addi    sp, sp, 16
        .cfi_def_cfa_offset WAY_BACK_SIZE
        LEAVE
        END     entry_nothing_flags

        .macro  COUNT name, place
        sd      t0, 0(sp)
        sd      t2, 8(sp)
        sd      t3, 16(sp)
        FIND_PROBE t0, \place
        LOAD_STATE \name
        COUNT_HIT \name
        .endm

        .macro  END_COUNT
        ld      t0, 0(sp)
        ld      t2, 8(sp)
        ld      t3, 16(sp)
        addi    sp, sp, 32
        .endm

        BY_T1   entry_count
        addi    sp, sp, -32
        .cfi_def_cfa_offset 32
        COUNT   entry_count, ENTRY_PROBE
        END_COUNT
        .cfi_def_cfa_offset 0
        jr      t1
        COUNT_HIT_RARELY entry_count
        END     entry_count

        OF_NOTE entry_count_flags
        addi    sp, sp, -32
        .cfi_def_cfa_offset WAY_BACK_SIZE + 32
        COUNT   entry_count_flags, NOTE_PROBE
        KEEP_WAY_BACK t0, 32
        END_COUNT
        .cfi_def_cfa_offset WAY_BACK_SIZE
        LEAVE
        COUNT_HIT_RARELY entry_count_flags
        END     entry_count_flags

        .macro  SAVE_OF_NOTE name, dispatch
        OF_NOTE \name
        PERSONALITY
        addi    sp, sp, -FRAME
        .cfi_def_cfa_offset WAY_BACK_SIZE + FRAME
        SAVE_GENERAL WAY_BACK_SIZE
        KEEP_WAY_BACK a0, FRAME
        ld      a0, FRAME + 8(sp)
        sd      a0, GENERAL(6)(sp)
        addi    a0, t1, NOTE_PROBE - ENTRY_PROBE /* by which entries are known */
        sd      a0, REGISTERS + REGISTERS_ENTRY(sp)
        DISPATCH \dispatch, NOTE_PROBE
        addi    sp, sp, FRAME
        .cfi_def_cfa_offset WAY_BACK_SIZE
        LEAVE
        END     \name
        .endm

/*
 * The compilers cannot be told to leave registers of floating point alone while they pass arguments
 * in them, so all that may be called is called with them kept.
 */
        SAVE    entry_save, vector_dispatch
        SAVE    entry_record, vector_record
        SAVE_OF_NOTE entry_save_flags, vector_dispatch
        SAVE_OF_NOTE entry_record_flags, vector_record

        .macro  ALIAS name, other
        .globl  \name
        .hidden \name
        .set    \name, \other
        .endm
        ALIAS   entry_general, entry_save
        ALIAS   entry_general_flags, entry_save_flags

        END_OF_FILE
