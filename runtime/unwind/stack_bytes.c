/* SPDX-License-Identifier: BSD-2-Clause */
/* See stack_bytes.h. */
#include "stack_bytes.h"

#include <stddef.h>
#include <string.h>

uint64_t stack_bytes_read(struct stack_bytes *reader, unsigned n)
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

static uint64_t read_leb(struct stack_bytes *reader, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = (uint8_t)stack_bytes_read(reader, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) && !reader->has_failed);
    if (is_signed && (byte & 0x40) && shift < 64)
        value |= ~UINT64_C(0) << shift;
    return value;
}

uint64_t stack_bytes_unsigned(struct stack_bytes *reader)
{
    return read_leb(reader, false);
}

int64_t stack_bytes_signed(struct stack_bytes *reader)
{
    return (int64_t)read_leb(reader, true);
}

void stack_bytes_skip(struct stack_bytes *reader, uint64_t n)
{
    if ((uint64_t)(reader->end - reader->at) < n)
        reader->has_failed = true;
    else
        reader->at += n;
}

uint64_t stack_bytes_pointer(struct stack_bytes *reader, uint8_t encoding)
{
    uint64_t place = (uintptr_t)reader->at, value;
    uint8_t format = encoding & 0x0f;
    bool is_wide = format == 0x00 || format == 0x04 || format == 0x0c;
    if (!is_wide && format != 0x03 && format != 0x0b)
        reader->has_failed = true;
    value = stack_bytes_read(reader, is_wide ? 8 : 4);
    if (format == 0x0b)
        value = (uint64_t)(int32_t)value;
    if ((encoding & 0x70) == 0x10)
        value += place;
    else if (encoding & 0xf0)
        reader->has_failed = true;
    return value;
}
