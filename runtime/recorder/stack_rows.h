/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How to come from a frame to its caller, for each address of a module: .eh_frame, read once and
 * put into rows in order of addresses. Pure functions.
 *
 * Of the registers only what the walk needs is followed: where the caller's stack begins (the
 * canonical frame address, CFA), and where %rbp was saved. What cannot be told so ends the walk.
 */
#ifndef SDT_RECORDER_STACK_ROWS_H
#define SDT_RECORDER_STACK_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stack_cfa {
    CFA_NONE,   /* nobody knows, or there is no caller */
    CFA_RSP,    /* %rsp + offset */
    CFA_RBP,    /* %rbp + offset */
    CFA_AT_RBP, /* what is at %rbp + offset */
    CFA_PLT,    /* %rsp + 8, and 8 more from byte `offset` of 16 on */
    CFA_SIGNAL  /* the kernel's frame: it has all registers */
};

enum stack_rbp { RBP_KEPT, RBP_AT_CFA, RBP_AT_RBP };

struct stack_row {
    uint32_t pc; /* from here on, up to the next row's; counted from the module's base */
    int32_t offset;
    int16_t rbp_offset;
    uint8_t cfa, rbp;
};

struct stack_rows {
    struct stack_row *row;
    size_t count, room;
    bool is_incomplete; /* no memory */
};

/* What is in memory from `start` to `end`, of which nothing behind is read. */
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
