/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See stack_rows.h. The format is that of the Linux Standard Base, "Exception Frames", and of DWARF
 * 4, 6.4. Every read is checked against the end of the segment first: a module may be damaged, and
 * we run in its process.
 */
#include "stack_rows.h"

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

struct row_reader {
    const uint8_t *at, *end;
    bool has_failed;
};

static uint64_t read_bytes(struct row_reader *reader, unsigned n)
{
    uint64_t value = 0;
    if ((size_t)(reader->end - reader->at) < n) {
        reader->has_failed = true;
        reader->at = reader->end;
        return 0;
    }
    memcpy(&value, reader->at, n);
    reader->at += n;
    return value;
}

static uint64_t read_leb(struct row_reader *reader, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = (uint8_t)read_bytes(reader, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) && !reader->has_failed);
    if (is_signed && (byte & 0x40) && shift < 64)
        value |= ~UINT64_C(0) << shift;
    return value;
}

static uint64_t read_unsigned(struct row_reader *reader)
{
    return read_leb(reader, false);
}

static int64_t read_signed(struct row_reader *reader)
{
    return (int64_t)read_leb(reader, true);
}

static void skip(struct row_reader *reader, uint64_t n)
{
    if ((uint64_t)(reader->end - reader->at) < n)
        reader->has_failed = true;
    else
        reader->at += n;
}

/* A pointer in one of the encodings that compilers use: of 4 or 8 bytes, relative to its place. */
static uint64_t read_pointer(struct row_reader *reader, uint8_t encoding)
{
    uint64_t place = (uintptr_t)reader->at, value;
    uint8_t format = encoding & 0x0f;
    bool is_wide = format == 0x00 || format == 0x04 || format == 0x0c;
    if (!is_wide && format != 0x03 && format != 0x0b)
        reader->has_failed = true;
    value = read_bytes(reader, is_wide ? 8 : 4);
    if (format == 0x0b)
        value = (uint64_t)(int32_t)value;
    if ((encoding & 0x70) == 0x10)
        value += place;
    else if (encoding & 0xf0)
        reader->has_failed = true;
    return value;
}

/* ---- A common information entry. ---- */

struct rules {
    uint8_t cfa, pointer, back;
    int64_t offset, pointer_offset, back_offset;
    bool is_last; /* there is no caller, or nobody can tell */
};

struct cie {
    const uint8_t *start;
    uint64_t code_unit;
    int64_t data_unit;
    uint8_t encoding;
    bool is_signal, has_augmentation;
    struct rules rules;
    const uint8_t *program, *end;
};

/* The entry at READER: its length is read, and READER ends where it does. */
static bool enter(struct row_reader *reader)
{
    uint64_t length = read_bytes(reader, 4);
    if (length == 0 || length == 0xffffffff || (uint64_t)(reader->end - reader->at) < length)
        return false;
    reader->end = reader->at + length;
    return !reader->has_failed;
}

static void read_augmentation(struct row_reader *reader, struct cie *cie, const char *letters)
{
    for (; *letters && !reader->has_failed; letters++)
        switch (*letters) {
        case 'R':
            cie->encoding = (uint8_t)read_bytes(reader, 1);
            break;
        case 'P':
            read_pointer(reader, (uint8_t)read_bytes(reader, 1) & 0x7f);
            break;
        case 'L':
            read_bytes(reader, 1);
            break;
        case 'S':
            cie->is_signal = true;
            break;
        default: /* 'B' and the like say nothing about the stack */
            break;
        }
}

static bool read_cie(struct cie *cie, const uint8_t *start, struct stack_memory memory)
{
    struct row_reader reader = {start, memory.end, false};
    *cie = (struct cie){.start = start};
    if (start < memory.start || start >= memory.end || !enter(&reader) ||
        read_bytes(&reader, 4) != 0)
        return false;
    uint64_t version = read_bytes(&reader, 1);
    const char *letters = (const char *)reader.at;
    size_t length = strnlen(letters, (size_t)(reader.end - reader.at));
    skip(&reader, length + 1);
    cie->code_unit = read_unsigned(&reader);
    cie->data_unit = read_signed(&reader);
    uint64_t column = version == 1 ? read_bytes(&reader, 1) : read_unsigned(&reader);
    if (reader.has_failed || (version != 1 && version != 3) || column != COLUMN_RETURN ||
        (*letters && *letters != 'z'))
        return false;
    if (*letters) {
        uint64_t size = read_unsigned(&reader);
        const uint8_t *begin = reader.at;
        cie->has_augmentation = true;
        read_augmentation(&reader, cie, letters + 1);
        reader.at = begin;
        skip(&reader, size);
    }
    cie->program = reader.at;
    cie->end = reader.end;
    return !reader.has_failed;
}

/* ---- The programs. ---- */

struct machine {
    const struct cie *cie;
    struct rules now, remembered[REMEMBERED];
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
    const struct rules *now = &machine->now;
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

/* Register COLUMN is what it was (IS_SAME), or nobody knows. */
static void forget(struct machine *machine, uint64_t column, bool is_same)
{
    if (column == COLUMN_RETURN) {
        machine->now.back = BACK_LINK;
        machine->now.is_last = !is_same || !FRAME_HAS_LINK;
    } else if (column == COLUMN_POINTER)
        machine->now.pointer = POINTER_KEPT;
}

/* The expressions that compilers and linkers write: of a PLT, and of a stack that is realigned. */
static void take_cfa_expression(struct machine *machine, struct row_reader expression)
{
    const uint8_t *at = expression.at;
    size_t size = (size_t)(expression.end - at);
    machine->now.cfa = CFA_NONE;
    if (frame_is_plt(at, size, &machine->now.offset)) {
        machine->now.cfa = CFA_PLT;
    } else if (size >= 3 && *at == DW_OP_breg0 + COLUMN_POINTER) {
        expression.at++;
        machine->now.offset = read_signed(&expression);
        if (!expression.has_failed && expression.end - expression.at == 1 &&
            *expression.at == DW_OP_deref)
            machine->now.cfa = CFA_AT_POINTER;
    }
}

/* Of a register: where it was saved (IS_PLACE), or what it was. */
static void take_expression(struct machine *machine, uint64_t column, struct row_reader expression,
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
    machine->now.pointer_offset = has_base ? read_signed(&expression) : 0;
    if (!has_base || !is_place || expression.at != expression.end)
        machine->now.is_last = true;
}

static void take_block(struct machine *machine, struct row_reader *reader, uint8_t code)
{
    uint64_t column = code == DW_CFA_def_cfa_expression ? 0 : read_unsigned(reader),
             size = read_unsigned(reader);
    struct row_reader expression = {reader->at, reader->at, false};
    skip(reader, size);
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
static bool take_register(struct machine *machine, struct row_reader *reader, uint8_t code)
{
    int64_t unit = machine->cie->data_unit;
    uint64_t column = read_unsigned(reader);
    switch (code) {
    case 0x05: /* DW_CFA_offset_extended */
        save(machine, column, (int64_t)read_unsigned(reader) * unit);
        return true;
    case 0x06: /* DW_CFA_restore_extended */
        restore(machine, column);
        return true;
    case 0x07: /* DW_CFA_undefined */
    case 0x08: /* DW_CFA_same_value */
        forget(machine, column, code == 0x08);
        return true;
    case 0x0c: /* DW_CFA_def_cfa */
        set_cfa(machine, column, (int64_t)read_unsigned(reader));
        return true;
    case 0x0d: /* DW_CFA_def_cfa_register */
        set_cfa(machine, column, machine->now.offset);
        return true;
    case 0x11: /* DW_CFA_offset_extended_sf */
        save(machine, column, read_signed(reader) * unit);
        return true;
    case 0x12: /* DW_CFA_def_cfa_sf */
        set_cfa(machine, column, read_signed(reader) * unit);
        return true;
    default: /* DW_CFA_register, DW_CFA_val_offset and what is not known */
        return false;
    }
}

/* One instruction. False: it is not known. */
static bool take_instruction(struct machine *machine, struct row_reader *reader)
{
    uint8_t code = (uint8_t)read_bytes(reader, 1), low = code & 0x3f;
    switch (code & 0xc0) {
    case 0x40:
        advance(machine, low);
        return true;
    case 0x80:
        save(machine, low, (int64_t)read_unsigned(reader) * machine->cie->data_unit);
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
        advance(machine, read_bytes(reader, 1u << (code - 2)));
        return true;
    case 0x0a:
    case 0x0b: /* DW_CFA_remember_state, DW_CFA_restore_state */
        remember(machine, code == 0x0b);
        return true;
    case 0x0e: /* DW_CFA_def_cfa_offset */
        machine->now.offset = (int64_t)read_unsigned(reader);
        return true;
    case 0x13: /* DW_CFA_def_cfa_offset_sf */
        machine->now.offset = read_signed(reader) * machine->cie->data_unit;
        return true;
    case DW_CFA_def_cfa_expression:
    case DW_CFA_expression:
    case DW_CFA_val_expression:
        take_block(machine, reader, code);
        return true;
    case DW_CFA_negate_ra_state: /* the walk takes every address for signed */
        return FRAME_IS_SIGNED;
    case DW_CFA_GNU_args_size:
        read_unsigned(reader);
        return true;
    default:
        return take_register(machine, reader, code);
    }
}

static void run(struct machine *machine, const uint8_t *program, const uint8_t *end)
{
    struct row_reader reader = {program, end, false};
    while (reader.at < reader.end && !reader.has_failed)
        if (!take_instruction(machine, &reader)) {
            machine->now.is_last = true;
            break;
        }
    emit(machine);
}

/* ---- Modules. ---- */

static void add_fde(struct stack_rows *rows, uint64_t base, const uint8_t *start, struct cie *cie,
                    struct stack_memory memory)
{
    struct row_reader reader = {start, memory.end, false};
    if (start < memory.start || start >= memory.end || !enter(&reader))
        return;
    const uint8_t *place = reader.at;
    uint64_t back = read_bytes(&reader, 4);
    if (reader.has_failed || back == 0 || back > (uint64_t)(place - memory.start))
        return;
    if (cie->start != place - back) {
        if (!read_cie(cie, place - back, memory)) {
            cie->start = NULL;
            return;
        }
        struct machine first = {.cie = cie,
                                .now = {.back = FRAME_HAS_LINK ? BACK_LINK : BACK_AT_CFA,
                                        .back_offset = FRAME_HAS_LINK ? 0 : FRAME_RETURN_AT}};
        run(&first, cie->program, cie->end);
        cie->rules = first.now;
    }
    uint64_t pc = read_pointer(&reader, cie->encoding);
    uint64_t length = read_pointer(&reader, cie->encoding & 0x0f);
    if (cie->has_augmentation)
        skip(&reader, read_unsigned(&reader));
    if (reader.has_failed || pc < base || pc + length - base > UINT32_MAX || !length)
        return;
    struct machine machine = {.cie = cie, .now = cie->rules, .rows = rows, .pc = pc, .base = base};
    run(&machine, reader.at, reader.end);
    put_row(rows, (struct stack_row){.pc = (uint32_t)(pc + length - base)});
}

bool stack_rows_add(struct stack_rows *rows, uintptr_t base, const uint8_t *header,
                    struct stack_memory memory)
{
    enum { VERSION = 1, SIGNED4 = 0x0b, UNSIGNED4 = 0x03, RELATIVE = 0x30 };
    struct row_reader reader = {header, memory.end, false};
    struct cie cie = {.start = NULL};
    uint64_t version = read_bytes(&reader, 1), frame = read_bytes(&reader, 1);
    uint64_t counting = read_bytes(&reader, 1), entries = read_bytes(&reader, 1);
    read_pointer(&reader, (uint8_t)frame);
    uint64_t count = read_bytes(&reader, 4);
    if (reader.has_failed || version != VERSION || counting != UNSIGNED4 ||
        entries != (RELATIVE | SIGNED4) || count > (uint64_t)(reader.end - reader.at) / 8)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        read_bytes(&reader, 4); /* where it begins, which it says itself */
        int32_t distance = (int32_t)read_bytes(&reader, 4);
        add_fde(rows, base, header + distance, &cie, memory);
    }
    return true;
}
