/* SPDX-License-Identifier: BSD-2-Clause */
/* A row: how to get from a frame to its caller, from some address of a module on. */
#ifndef SDT_UNWIND_STACK_ROW_H
#define SDT_UNWIND_STACK_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stack_cfa {
    CFA_NONE,       /* unknown, or there is no caller */
    CFA_STACK,      /* the stack pointer + offset */
    CFA_POINTER,    /* the frame pointer + offset */
    CFA_AT_POINTER, /* what is at the frame pointer + offset */
    CFA_PLT,        /* as in a slot of a PLT: <machine/frame.h> */
    CFA_SIGNAL      /* the kernel's frame: it has all registers */
};

enum stack_pointer { POINTER_KEPT, POINTER_AT_CFA, POINTER_AT_POINTER };
/* The return address: at CFA + offset, or where a call has left it. */
enum stack_back { BACK_AT_CFA, BACK_LINK };

struct stack_row {
    uint32_t pc; /* from here on, up to the next row's; counted from the module's base */
    int32_t offset;
    int32_t pointer_offset : 28;
    uint32_t cfa : 4;
    int32_t back_offset : 28;
    uint32_t pointer : 2, back : 2;
};

struct stack_rows {
    struct stack_row *row;
    size_t count, capacity;
    bool is_incomplete; /* no memory */
};

#endif
