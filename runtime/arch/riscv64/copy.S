/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copying memory that may not be there. The loads that can fault are between copy_begin and
 * copy_end, or record_begin and record_end; fault.c has a thread that gets SIGSEGV or SIGBUS there
 * go on at copy_fault.
 *
 *     long copy_text(uint64_t *to, uintptr_t from, size_t most, bool is_text)
 *
 * At most MOST bytes; with IS_TEXT those before the first NUL. Returns how many, or -1. Byte
 * by byte: each is loaded once, what is stored is what was tested, and no load leaves the page of a
 * byte that is asked for.
 *
 *     a0 to     a1 from     a2 end of from      a3 is_text      a4 from, at first      a5 the byte
 */
#include "macros.inc"

        .globl  copy_begin, copy_end, copy_fault, record_begin, record_end
        .hidden copy_begin, copy_end, copy_fault, record_begin, record_end

        .text
        FUNCTION copy_text
        mv      a4, a1
        add     a2, a2, a1
        beq     a1, a2, 2f
1:
copy_begin:
        lbu     a5, 0(a1)
copy_end:
        sb      a5, 0(a0)
        bnez    a5, 3f
        bnez    a3, 2f
3:      addi    a1, a1, 1
        addi    a0, a0, 1
        bne     a1, a2, 1b
2:      sub     a0, a1, a4
        ret
copy_fault:
        li      a0, -1
        ret
        END     copy_text

/*
 * long copy_record(uint64_t to[4], uintptr_t from): three words and a byte. Returns 0, or -1. A
 * load of a word that is not aligned may be the kernel's work, so it goes byte by byte.
 */
        FUNCTION copy_record
        addi    a2, a1, 25
1:
record_begin:
        lbu     a5, 0(a1)
record_end:
        sb      a5, 0(a0)
        addi    a1, a1, 1
        addi    a0, a0, 1
        bne     a1, a2, 1b
        sb      zero, 0(a0)
        li      a0, 0
        ret
        END     copy_record

/* uint64_t clock_cycles(void): the time. No kernel takes it away, but fault.c knows the place. */
        .globl  clock_instruction
        .hidden clock_instruction
        FUNCTION clock_cycles
clock_instruction:
        rdtime  a0
        ret
        END     clock_cycles

        END_OF_FILE
