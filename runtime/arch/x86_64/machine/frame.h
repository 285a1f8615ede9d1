/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the walk of a stack (unwind/stack.c) must know: a call pushes the return address, so it is
 * in the word below the canonical frame address (CFA), and a function that keeps a frame pointer
 * begins with push %rbp; mov %rsp,%rbp.
 */
#ifndef SDT_MACHINE_FRAME_H
#define SDT_MACHINE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers as DWARF numbers them; psABI, "DWARF Register Number Mapping". */
enum { COLUMN_POINTER = 6, COLUMN_STACK = 7, COLUMN_RETURN = 16 };

/* From the CFA to the return address and to the caller's frame pointer; from the frame pointer to
 * the CFA of a frame that has one. */
enum { FRAME_RETURN_AT = -8, FRAME_POINTER_AT = -16, FRAME_POINTER_CFA = 16 };

/* Whether callers of a hit can be found by these. */
#define FRAME_IS_WALKED 1

/* Whether a call leaves the return address in a register; whether the CFA of a frame with a frame
 * pointer is known by that alone; whether addresses in frames may be signed. */
#define FRAME_HAS_LINK 0
#define FRAME_POINTER_TELLS_CFA 1
#define FRAME_IS_SIGNED 0

/* The address that a return address stands for. */
static inline uintptr_t frame_return(uintptr_t stored)
{
    return stored;
}

/* Whether CODE, at a place without a row, is where handlers of signals return to: it has rows. */
static inline bool frame_is_of_signal(uint64_t code)
{
    (void)code;
    return false;
}

/*
 * Whether the DWARF expression at AT, of SIZE bytes, is the one that linkers write for a PLT: there
 * %rsp + 8 is the CFA, and 8 more from byte *OFFSET of the 16 of a slot on, after its push.
 */
static inline bool frame_is_plt(const uint8_t *at, size_t size, int64_t *offset)
{
    enum { LIT0 = 0x30 }; /* DW_OP_lit0 */
    /* breg7 8; breg16 0; lit15; and; litN; ge; lit3; shl; plus */
    static const uint8_t plt[] = {0x77, 8, 0x80, 0, 0x3f, 0x1a}, more[] = {0x2a, 0x33, 0x24, 0x22};
    if (size != 11 || __builtin_memcmp(at, plt, sizeof plt) != 0 ||
        __builtin_memcmp(at + 7, more, sizeof more) != 0)
        return false;
    *offset = at[6] - LIT0;
    return true;
}

/* The CFA at PC in such a slot. */
static inline uintptr_t frame_of_plt(uintptr_t sp, uintptr_t pc, uintptr_t offset)
{
    return sp + 8 + ((pc & 15) >= offset ? 8 : 0);
}

/*
 * At a call, the trampoline has pushed %rbp after the return address: where both are, by the
 * arguments on the stack.
 */
enum { CALL_CFA = -8, CALL_POINTER = -16, CALL_LINK = -8 };

#endif
