/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the walk of a stack (unwind/stack.c) must know. A call leaves the return address in ra,
 * and the function stores it at the high end of its frame, with the caller's s0 below it. s0, if it
 * is a frame pointer, is where the frame ends: the CFA itself.
 */
#ifndef SDT_MACHINE_FRAME_H
#define SDT_MACHINE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers as DWARF numbers them (RISC-V ELF psABI): s0, sp, ra. */
enum { COLUMN_POINTER = 8, COLUMN_STACK = 2, COLUMN_RETURN = 1 };

/* Below the place that s0 points to are ra and the caller's s0: from the CFA on. */
enum { FRAME_RETURN_AT = -8, FRAME_POINTER_AT = -16, FRAME_POINTER_CFA = 0 };

/* Whether callers of a hit can be found by these. */
#define FRAME_IS_WALKED 1

/* Whether a call leaves the return address in a register; whether the CFA of a frame with a frame
 * pointer is known by that alone; whether addresses in frames may be signed. */
#define FRAME_HAS_LINK 1
#define FRAME_POINTER_TELLS_CFA 1
#define FRAME_IS_SIGNED 0

/* The address that a return address stands for. */
static inline uintptr_t frame_return(uintptr_t stored)
{
    return stored;
}

/* Whether CODE, at a place without a row, is where handlers of signals return to: li a7, 139
 * (rt_sigreturn); ecall. */
static inline bool frame_is_of_signal(uint64_t code)
{
    return code == UINT64_C(0x0000007308b00893);
}

/* Linkers describe no PLT here: it changes neither the stack pointer nor ra. */
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

/* At a call, the trampoline has saved ra and s0 below the arguments on the stack. */
enum { CALL_CFA = 0, CALL_POINTER = -16, CALL_LINK = -8 };

#endif
