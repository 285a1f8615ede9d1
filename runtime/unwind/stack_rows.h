/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How to get from a frame to its caller, for each address of a module: .eh_frame, read once and put
 * into rows in order of addresses. Pure functions.
 *
 * Of the registers only what the walk needs is followed: where the caller's stack begins (the
 * canonical frame address, CFA), and where the frame pointer and the return address were saved. Any
 * other rule ends the walk.
 */
#ifndef SDT_UNWIND_STACK_ROWS_H
#define SDT_UNWIND_STACK_ROWS_H

#include "stack_row.h"

/* What is in memory from `start` to `end`, of which nothing after is read. */
struct stack_memory {
    const uint8_t *start, *end;
};

/*
 * Add the rows of a module at BASE, whose .eh_frame_hdr is at HEADER, in MEMORY, a segment of it.
 * False: it has no table that could be searched.
 */
bool stack_rows_add(struct stack_rows *rows, uintptr_t base, const uint8_t *header,
                    struct stack_memory memory);

#endif
