/* SPDX-License-Identifier: BSD-2-Clause */
#include "protobuf.h"

#include "escape_append.h"
#include "varint.h"

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, LENGTH_SIZE = 4 };

static void append_tag(struct bytes *to, unsigned field, unsigned wire)
{
    varint_append(to, field << 3 | wire);
}

void protobuf_natural(struct bytes *to, unsigned field, uint64_t number)
{
    append_tag(to, field, WIRE_VARINT);
    varint_append(to, number);
}

void protobuf_integer(struct bytes *to, unsigned field, int64_t number)
{
    protobuf_natural(to, field, (uint64_t)number);
}

void protobuf_zigzag(struct bytes *to, unsigned field, int64_t number)
{
    protobuf_natural(to, field, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
}

void protobuf_double(struct bytes *to, unsigned field, double number)
{
    append_tag(to, field, WIRE_FIXED64);
    bytes_append(to, &number, sizeof number);
}

void protobuf_fixed64(struct bytes *to, unsigned field, uint64_t number)
{
    append_tag(to, field, WIRE_FIXED64);
    bytes_append(to, &number, sizeof number);
}

void protobuf_bytes(struct bytes *to, unsigned field, const void *data, size_t size)
{
    append_tag(to, field, WIRE_BYTES);
    varint_append(to, size);
    bytes_append(to, data, size);
}

void protobuf_packed(struct bytes *to, unsigned field, const uint64_t *numbers, size_t count)
{
    size_t start = protobuf_open(to, field);
    for (size_t i = 0; i < count; i++)
        varint_append(to, numbers[i]);
    protobuf_close(to, start);
}

size_t protobuf_open(struct bytes *to, unsigned field)
{
    append_tag(to, field, WIRE_BYTES);
    bytes_append(to, NULL, LENGTH_SIZE);
    return to->size;
}

void protobuf_close(struct bytes *to, size_t start)
{
    uint8_t *place = to->data + start - LENGTH_SIZE;
    size_t length = to->size - start;
    /* Without its last byte, a varint of LENGTH_SIZE bytes says 28 bits; more follow in no message.
     */
    for (int i = 0; i < LENGTH_SIZE; i++)
        place[i] = (uint8_t)((length >> (7 * i) & 0x7f) | (i + 1 < LENGTH_SIZE ? 0x80 : 0));
}

void protobuf_string(struct bytes *to, unsigned field, struct slice text)
{
    size_t total = escape_utf8_length(text);
    append_tag(to, field, WIRE_BYTES);
    varint_append(to, total);
    if (total == text.length) /* no bad byte: it would have become three */
        bytes_append(to, text.text, text.length);
    else
        escape_append_utf8(to, text);
}
