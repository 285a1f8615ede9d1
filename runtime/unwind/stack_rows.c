/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See stack_rows.h. The format is that of the Linux Standard Base, "Exception Frames", and of DWARF
 * 4, 6.4. Every read is checked against the end of the segment first: a module may be damaged, and
 * we run in its process. What an entry means is up to stack_program.c.
 */
#include "stack_rows.h"
#include "stack_program.h"

#include <machine/frame.h>
#include <string.h>

/* ---- A common information entry. ---- */

/* The entry at READER: its length is read, and READER ends where it does. */
static bool enter(struct stack_bytes *reader)
{
    uint64_t length = stack_bytes_read(reader, 4);
    if (length == 0 || length == 0xffffffff || (uint64_t)(reader->end - reader->at) < length)
        return false;
    reader->end = reader->at + length;
    return !reader->has_failed;
}

static void read_augmentation(struct stack_bytes *reader, struct stack_cie *cie,
                              const char *letters)
{
    for (; *letters && !reader->has_failed; letters++)
        switch (*letters) {
        case 'R':
            cie->encoding = (uint8_t)stack_bytes_read(reader, 1);
            break;
        case 'P':
            stack_bytes_pointer(reader, (uint8_t)stack_bytes_read(reader, 1) & 0x7f);
            break;
        case 'L':
            stack_bytes_read(reader, 1);
            break;
        case 'S':
            cie->is_signal = true;
            break;
        default: /* 'B' and the like say nothing about the stack */
            break;
        }
}

static bool read_cie(struct stack_cie *cie, const uint8_t *start, struct stack_memory memory)
{
    struct stack_bytes reader = {start, memory.end, false};
    *cie = (struct stack_cie){.start = start};
    if (start < memory.start || start >= memory.end || !enter(&reader) ||
        stack_bytes_read(&reader, 4) != 0)
        return false;
    uint64_t version = stack_bytes_read(&reader, 1);
    const char *letters = (const char *)reader.at;
    size_t length = strnlen(letters, (size_t)(reader.end - reader.at));
    stack_bytes_skip(&reader, length + 1);
    cie->code_unit = stack_bytes_unsigned(&reader);
    cie->data_unit = stack_bytes_signed(&reader);
    uint64_t column = version == 1 ? stack_bytes_read(&reader, 1) : stack_bytes_unsigned(&reader);
    if (reader.has_failed || (version != 1 && version != 3) || column != COLUMN_RETURN ||
        (*letters && *letters != 'z'))
        return false;
    if (*letters) {
        uint64_t size = stack_bytes_unsigned(&reader);
        const uint8_t *begin = reader.at;
        cie->has_augmentation = true;
        read_augmentation(&reader, cie, letters + 1);
        reader.at = begin;
        stack_bytes_skip(&reader, size);
    }
    cie->program = reader.at;
    cie->end = reader.end;
    return !reader.has_failed;
}

/* ---- Modules. ---- */

static void add_fde(struct stack_rows *rows, uint64_t base, const uint8_t *start,
                    struct stack_cie *cie, struct stack_memory memory)
{
    struct stack_bytes reader = {start, memory.end, false};
    if (start < memory.start || start >= memory.end || !enter(&reader))
        return;
    const uint8_t *place = reader.at;
    uint64_t back = stack_bytes_read(&reader, 4);
    if (reader.has_failed || back == 0 || back > (uint64_t)(place - memory.start))
        return;
    if (cie->start != place - back) {
        if (!read_cie(cie, place - back, memory)) {
            cie->start = NULL;
            return;
        }
        cie->rules = stack_program_start(cie);
    }
    uint64_t pc = stack_bytes_pointer(&reader, cie->encoding);
    uint64_t length = stack_bytes_pointer(&reader, cie->encoding & 0x0f);
    if (cie->has_augmentation)
        stack_bytes_skip(&reader, stack_bytes_unsigned(&reader));
    if (reader.has_failed || pc < base || pc + length - base > UINT32_MAX || !length)
        return;
    stack_program_run(rows, cie, &reader, base, pc, length);
}

bool stack_rows_add(struct stack_rows *rows, uintptr_t base, const uint8_t *header,
                    struct stack_memory memory)
{
    enum { VERSION = 1, SIGNED4 = 0x0b, UNSIGNED4 = 0x03, RELATIVE = 0x30 };
    struct stack_bytes reader = {header, memory.end, false};
    struct stack_cie cie = {.start = NULL};
    uint64_t version = stack_bytes_read(&reader, 1), frame = stack_bytes_read(&reader, 1);
    uint64_t counting = stack_bytes_read(&reader, 1), entries = stack_bytes_read(&reader, 1);
    stack_bytes_pointer(&reader, (uint8_t)frame);
    uint64_t count = stack_bytes_read(&reader, 4);
    if (reader.has_failed || version != VERSION || counting != UNSIGNED4 ||
        entries != (RELATIVE | SIGNED4) || count > (uint64_t)(reader.end - reader.at) / 8)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        stack_bytes_read(&reader, 4); /* where it begins, which it says itself */
        int32_t distance = (int32_t)stack_bytes_read(&reader, 4);
        add_fde(rows, base, header + distance, &cie, memory);
    }
    return true;
}
