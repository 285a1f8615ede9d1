/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The programs of .eh_frame: each instruction changes a rule, or goes on to the next address. What
 * holds at an address becomes a row.
 */
#ifndef SDT_UNWIND_STACK_PROGRAM_H
#define SDT_UNWIND_STACK_PROGRAM_H

#include "stack_bytes.h"
#include "stack_row.h"

/* How to get to the caller: enums of stack_row.h. */
struct stack_rules {
    uint8_t cfa, pointer, back;
    int64_t offset, pointer_offset, back_offset;
    bool is_last; /* there is no caller, or it is unknown */
};

/* A common information entry: what the functions that name it have in common. */
struct stack_cie {
    const uint8_t *start;
    uint64_t code_unit;
    int64_t data_unit;
    uint8_t encoding;
    bool is_signal, has_augmentation;
    struct stack_rules rules;
    const uint8_t *program, *end;
};

/* The rules after the program of CIE itself, from which those of its functions start. */
struct stack_rules stack_program_start(const struct stack_cie *cie);
/* Add the rows of a function from PC to PC + LENGTH, in a module at BASE: what PROGRAM says. */
void stack_program_run(struct stack_rows *rows, const struct stack_cie *cie,
                       const struct stack_bytes *program, uint64_t base, uint64_t pc,
                       uint64_t length);

#endif
