/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the walk of a stack (unwind/stack.c) must know. A call leaves the return address in x30,
 * and the function stores it where it likes, often beside the caller's x29: a frame record. That is
 * at the low end of what the function saves, so it does not tell where the frame ends.
 *
 * With pointer authentication what is in x30, or stored, has a signature in its upper bits.
 */
#ifndef SDT_MACHINE_FRAME_H
#define SDT_MACHINE_FRAME_H

#include <machine/layout.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers as DWARF numbers them (AADWARF64, 4.1). */
enum { COLUMN_POINTER = 29, COLUMN_STACK = 31, COLUMN_RETURN = 30 };

/* A frame record is the caller's x29, then x30: where the CFA would be if it ended a frame. */
enum { FRAME_RETURN_AT = -8, FRAME_POINTER_AT = -16, FRAME_POINTER_CFA = 16 };

/* Whether callers of a hit can be found by these. */
#define FRAME_IS_WALKED 1

/* Whether a call leaves the return address in a register; whether the CFA of a frame with a frame
 * pointer is known by that alone; whether addresses in frames may be signed. */
#define FRAME_HAS_LINK 1
#define FRAME_POINTER_TELLS_CFA 0
#define FRAME_IS_SIGNED 1

/* The address that a return address stands for, without its signature. */
static inline uintptr_t frame_return(uintptr_t stored)
{
    register uintptr_t address __asm__("x30") = stored;
    __asm__("hint #7" : "+r"(address)); /* xpaclri; other processors take it for a NOP */
    return address;
}

/*
 * Whether CODE, at a place without a row, is where handlers of signals return to: the kernel says
 * nothing of it in its .eh_frame, so that unwinders recognise the two instructions.
 */
static inline bool frame_is_of_signal(uint64_t code)
{
    return code == UINT64_C(0xd4000001d2801168); /* mov x8, #139 (rt_sigreturn); svc #0 */
}

/* Linkers describe no PLT here: it changes neither the stack pointer nor x30. */
static inline bool frame_is_plt(const uint8_t *at, size_t size, int64_t *offset)
{
    (void)at;
    (void)size;
    *offset = 0;
    return false;
}

static inline uintptr_t frame_of_plt(uintptr_t sp, uintptr_t pc, uintptr_t offset)
{
    (void)pc;
    (void)offset;
    return sp;
}

/* At a call, the trampoline has saved x29 and x30 at the low end of its frame. */
enum { CALL_CFA = 0, CALL_POINTER = -TRAMPOLINE_FRAME, CALL_LINK = -TRAMPOLINE_FRAME + 8 };

#endif
