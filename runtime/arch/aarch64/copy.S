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
 *     x0 to      x1 from      x2 bytes left      w3 is_text      x4 bytes done      w5 the byte
 */
#include "macros.inc"

        .globl  copy_begin, copy_end, copy_fault, record_begin, record_end
        .hidden copy_begin, copy_end, copy_fault, record_begin, record_end

        .text
        FUNCTION copy_text
        mov     x4, #0
        cbz     x2, 2f
copy_begin:
1:      ldrb    w5, [x1, x4]
copy_end:
        strb    w5, [x0, x4]
        cbnz    w5, 3f
        tbnz    w3, #0, 2f
3:      add     x4, x4, #1
        cmp     x4, x2
        b.lo    1b
2:      mov     x0, x4
        ret
copy_fault:
        mov     x0, #-1
        ret
        END     copy_text

/*
 * long copy_record(uint64_t to[4], uintptr_t from): three words, wherever they are, and a byte.
 * Returns 0, or -1.
 */
        FUNCTION copy_record
record_begin:
        ldp     x2, x3, [x1]
        ldr     x4, [x1, #16]
        ldrb    w5, [x1, #24]
record_end:
        stp     x2, x3, [x0]
        stp     x4, x5, [x0, #16]
        mov     x0, #0
        ret
        END     copy_record

/*
 * uint64_t clock_cycles(void): the virtual count, which is SIGSEGV in a thread after PR_SET_TSC
 * (Linux 6.12). fault.c has it be 0 then: time stands still.
 */
        .globl  clock_instruction
        .hidden clock_instruction
        FUNCTION clock_cycles
clock_instruction:
        mrs     x0, cntvct_el0
        ret
        END     clock_cycles

        END_OF_FILE
