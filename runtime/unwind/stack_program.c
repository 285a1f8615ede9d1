/* SPDX-License-Identifier: BSD-2-Clause */
/* See stack_program.h. The instructions are those of DWARF 4, 6.4.2, and of GNU. */
#include "stack_program.h"

#include <machine/frame.h>
#include <stdlib.h>
#include <string.h>

enum { REMEMBERED = 8 };

/* Of DWARF 4, 7.7.1 and 7.23, and of GNU. */
enum {
    DW_OP_deref = 0x06,
    DW_OP_breg0 = 0x70,
    DW_CFA_def_cfa_expression = 0x0f,
    DW_CFA_expression = 0x10,
    DW_CFA_val_expression = 0x16,
    DW_CFA_negate_ra_state = 0x2d, /* the return address is signed from here on, or is not */
    DW_CFA_GNU_args_size = 0x2e
};

struct machine {
    const struct stack_cie *cie;
    struct stack_rules now, remembered[REMEMBERED];
    unsigned depth;
    struct stack_rows *rows; /* NULL: of a CIE, which has none */
    uint64_t pc, base;
};

static void put_row(struct stack_rows *rows, struct stack_row row)
{
    /* What begins where the last one does stands in its stead. */
    if (rows->count && rows->row[rows->count - 1].pc == row.pc)
        rows->count--;
    if (rows->count) {
        struct stack_row last = rows->row[rows->count - 1];
        last.pc = row.pc;
        if (memcmp(&last, &row, sizeof row) == 0)
            return;
    }
    if (rows->count == rows->capacity) {
        size_t capacity = rows->capacity ? 2 * rows->capacity : 4096;
        struct stack_row *more = realloc(rows->row, capacity * sizeof *more);
        if (!more) {
            rows->is_incomplete = true;
            return;
        }
        rows->row = more;
        rows->capacity = capacity;
    }
    rows->row[rows->count++] = row;
}

static bool fits_in_row(int64_t offset)
{
    const int64_t end = 1 << 27;
    return offset >= -end && offset < end;
}

/* What holds from machine->pc on. */
static void emit(const struct machine *machine)
{
    const struct stack_rules *now = &machine->now;
    struct stack_row row = {.pc = (uint32_t)(machine->pc - machine->base)};
    bool fits = now->offset >= INT32_MIN && now->offset <= INT32_MAX &&
                fits_in_row(now->pointer_offset) && fits_in_row(now->back_offset);
    if (!machine->rows)
        return;
    if (machine->cie->is_signal)
        row.cfa = CFA_SIGNAL;
    else if (fits && !now->is_last) {
        row.cfa = now->cfa & 15;
        row.pointer = now->pointer & 3;
        row.back = now->back & 3;
        row.offset = (int32_t)now->offset;
        row.pointer_offset = (int32_t)now->pointer_offset;
        row.back_offset = (int32_t)now->back_offset;
    }
    put_row(machine->rows, row);
}

static void advance(struct machine *machine, uint64_t n)
{
    emit(machine);
    machine->pc += n * machine->cie->code_unit;
}

static void set_cfa(struct machine *machine, uint64_t column, int64_t offset)
{
    machine->now.cfa = column == COLUMN_STACK     ? CFA_STACK
                       : column == COLUMN_POINTER ? CFA_POINTER
                                                  : CFA_NONE;
    machine->now.offset = offset;
}

/* Register COLUMN was saved at CFA + OFFSET. */
static void save(struct machine *machine, uint64_t column, int64_t offset)
{
    if (column == COLUMN_POINTER) {
        machine->now.pointer = POINTER_AT_CFA;
        machine->now.pointer_offset = offset;
    } else if (column == COLUMN_RETURN) {
        machine->now.back = BACK_AT_CFA;
        machine->now.back_offset = offset;
        machine->now.is_last = false;
    }
}

static void restore(struct machine *machine, uint64_t column)
{
    if (column == COLUMN_POINTER) {
        machine->now.pointer = machine->cie->rules.pointer;
        machine->now.pointer_offset = machine->cie->rules.pointer_offset;
    } else if (column == COLUMN_RETURN) {
        machine->now.back = machine->cie->rules.back;
        machine->now.back_offset = machine->cie->rules.back_offset;
        machine->now.is_last = machine->cie->rules.is_last;
    }
}

/* Register COLUMN is what it was (IS_SAME), or unknown. */
static void forget(struct machine *machine, uint64_t column, bool is_same)
{
    if (column == COLUMN_RETURN) {
        machine->now.back = BACK_LINK;
        machine->now.is_last = !is_same || !FRAME_HAS_LINK;
    } else if (column == COLUMN_POINTER)
        machine->now.pointer = POINTER_KEPT;
}

/* The expressions that compilers and linkers write: of a PLT, and of a stack that is realigned. */
static void take_cfa_expression(struct machine *machine, struct stack_bytes expression)
{
    const uint8_t *at = expression.at;
    size_t size = (size_t)(expression.end - at);
    machine->now.cfa = CFA_NONE;
    if (frame_is_plt(at, size, &machine->now.offset)) {
        machine->now.cfa = CFA_PLT;
    } else if (size >= 3 && *at == DW_OP_breg0 + COLUMN_POINTER) {
        expression.at++;
        machine->now.offset = stack_bytes_signed(&expression);
        if (!expression.has_failed && expression.end - expression.at == 1 &&
            *expression.at == DW_OP_deref)
            machine->now.cfa = CFA_AT_POINTER;
    }
}

/* Of a register: where it was saved (IS_PLACE), or what it was. */
static void take_expression(struct machine *machine, uint64_t column, struct stack_bytes expression,
                            bool is_place)
{
    bool has_base =
        expression.at < expression.end && *expression.at == DW_OP_breg0 + COLUMN_POINTER;
    if (column == COLUMN_RETURN)
        machine->now.is_last = true;
    if (column != COLUMN_POINTER)
        return;
    expression.at += has_base;
    machine->now.pointer = POINTER_AT_POINTER;
    machine->now.pointer_offset = has_base ? stack_bytes_signed(&expression) : 0;
    if (!has_base || !is_place || expression.at != expression.end)
        machine->now.is_last = true;
}

static void take_block(struct machine *machine, struct stack_bytes *reader, uint8_t code)
{
    uint64_t column = code == DW_CFA_def_cfa_expression ? 0 : stack_bytes_unsigned(reader),
             size = stack_bytes_unsigned(reader);
    struct stack_bytes expression = {reader->at, reader->at, false};
    stack_bytes_skip(reader, size);
    if (reader->has_failed)
        return;
    expression.end = reader->at;
    if (code == DW_CFA_def_cfa_expression)
        take_cfa_expression(machine, expression);
    else
        take_expression(machine, column, expression, code == DW_CFA_expression);
}

static void remember(struct machine *machine, bool back)
{
    if (!back && machine->depth < REMEMBERED)
        machine->remembered[machine->depth++] = machine->now;
    else if (back && machine->depth)
        machine->now = machine->remembered[--machine->depth];
    else
        machine->now.is_last = true;
}

/* Those with a register, and perhaps an offset. */
static bool take_register(struct machine *machine, struct stack_bytes *reader, uint8_t code)
{
    int64_t unit = machine->cie->data_unit;
    uint64_t column = stack_bytes_unsigned(reader);
    switch (code) {
    case 0x05: /* DW_CFA_offset_extended */
        save(machine, column, (int64_t)stack_bytes_unsigned(reader) * unit);
        return true;
    case 0x06: /* DW_CFA_restore_extended */
        restore(machine, column);
        return true;
    case 0x07: /* DW_CFA_undefined */
    case 0x08: /* DW_CFA_same_value */
        forget(machine, column, code == 0x08);
        return true;
    case 0x0c: /* DW_CFA_def_cfa */
        set_cfa(machine, column, (int64_t)stack_bytes_unsigned(reader));
        return true;
    case 0x0d: /* DW_CFA_def_cfa_register */
        set_cfa(machine, column, machine->now.offset);
        return true;
    case 0x11: /* DW_CFA_offset_extended_sf */
        save(machine, column, stack_bytes_signed(reader) * unit);
        return true;
    case 0x12: /* DW_CFA_def_cfa_sf */
        set_cfa(machine, column, stack_bytes_signed(reader) * unit);
        return true;
    default: /* DW_CFA_register, DW_CFA_val_offset and what is not known */
        return false;
    }
}

/* One instruction. False: it is not known. */
static bool take_instruction(struct machine *machine, struct stack_bytes *reader)
{
    uint8_t code = (uint8_t)stack_bytes_read(reader, 1), low = code & 0x3f;
    switch (code & 0xc0) {
    case 0x40:
        advance(machine, low);
        return true;
    case 0x80:
        save(machine, low, (int64_t)stack_bytes_unsigned(reader) * machine->cie->data_unit);
        return true;
    case 0xc0:
        restore(machine, low);
        return true;
    default:
        break;
    }
    switch (code) {
    case 0x00: /* DW_CFA_nop */
        return true;
    case 0x02:
    case 0x03:
    case 0x04: /* DW_CFA_advance_loc1, 2, 4 */
        advance(machine, stack_bytes_read(reader, 1u << (code - 2)));
        return true;
    case 0x0a:
    case 0x0b: /* DW_CFA_remember_state, DW_CFA_restore_state */
        remember(machine, code == 0x0b);
        return true;
    case 0x0e: /* DW_CFA_def_cfa_offset */
        machine->now.offset = (int64_t)stack_bytes_unsigned(reader);
        return true;
    case 0x13: /* DW_CFA_def_cfa_offset_sf */
        machine->now.offset = stack_bytes_signed(reader) * machine->cie->data_unit;
        return true;
    case DW_CFA_def_cfa_expression:
    case DW_CFA_expression:
    case DW_CFA_val_expression:
        take_block(machine, reader, code);
        return true;
    case DW_CFA_negate_ra_state: /* the walk takes every address for signed */
        return FRAME_IS_SIGNED;
    case DW_CFA_GNU_args_size:
        stack_bytes_unsigned(reader);
        return true;
    default:
        return take_register(machine, reader, code);
    }
}

static void run(struct machine *machine, const uint8_t *program, const uint8_t *end)
{
    struct stack_bytes reader = {program, end, false};
    while (reader.at < reader.end && !reader.has_failed)
        if (!take_instruction(machine, &reader)) {
            machine->now.is_last = true;
            break;
        }
    emit(machine);
}

struct stack_rules stack_program_start(const struct stack_cie *cie)
{
    struct machine machine = {.cie = cie,
                              .now = {.back = FRAME_HAS_LINK ? BACK_LINK : BACK_AT_CFA,
                                      .back_offset = FRAME_HAS_LINK ? 0 : FRAME_RETURN_AT}};
    run(&machine, cie->program, cie->end);
    return machine.now;
}

void stack_program_run(struct stack_rows *rows, const struct stack_cie *cie,
                       const struct stack_bytes *program, uint64_t base, uint64_t pc,
                       uint64_t length)
{
    struct machine machine = {.cie = cie, .now = cie->rules, .rows = rows, .pc = pc, .base = base};
    run(&machine, program->at, program->end);
    put_row(rows, (struct stack_row){.pc = (uint32_t)(pc + length - base)});
}
