/* SPDX-License-Identifier: BSD-2-Clause */
/* What stack_modules.c has read, for stack.c: published as a whole, and never changed. */
#ifndef SDT_UNWIND_STACK_TABLE_H
#define SDT_UNWIND_STACK_TABLE_H

#include "stack_rows.h"

#include <stdatomic.h>

struct stack_module {
    uintptr_t start, end; /* of its code */
    uintptr_t base;
    struct stack_rows rows;
};

struct stack_table {
    unsigned long long adds, subs; /* what the loader had loaded, and unloaded, by then */
    size_t count, capacity;
    struct stack_module *module; /* in order of addresses */
};

extern struct stack_table *_Atomic stack_table;

#endif
