/* SPDX-License-Identifier: BSD-2-Clause */
#include "protobuf.h"

#include "escape.h"

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, LENGTH_SIZE = 4 };

static void append_varint(struct bytes *to, uint64_t number)
{
    uint8_t buffer[10];
    size_t size = 0;
    for (; number >= 0x80; number >>= 7)
        buffer[size++] = (uint8_t)(number | 0x80);
    buffer[size++] = (uint8_t)number;
    bytes_append(to, buffer, size);
}

static void append_tag(struct bytes *to, unsigned field, unsigned wire)
{
    append_varint(to, field << 3 | wire);
}

void protobuf_natural(struct bytes *to, unsigned field, uint64_t number)
{
    append_tag(to, field, WIRE_VARINT);
    append_varint(to, number);
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
    append_varint(to, size);
    bytes_append(to, data, size);
}

void protobuf_packed(struct bytes *to, unsigned field, const uint64_t *numbers, size_t count)
{
    size_t start = protobuf_open(to, field);
    for (size_t i = 0; i < count; i++)
        append_varint(to, numbers[i]);
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

/* How long TEXT is when each byte that is not UTF-8 has become U+FFFD. */
static size_t utf8_length(struct slice text)
{
    size_t sum = 0, length;
    for (size_t i = 0; i < text.length; i += length ? length : 1) {
        uint32_t code;
        length = escape_decode(text.text + i, text.length - i, &code);
        sum += length ? length : 3;
    }
    return sum;
}

void protobuf_string(struct bytes *to, unsigned field, struct slice text)
{
    size_t total = utf8_length(text), length;
    append_tag(to, field, WIRE_BYTES);
    append_varint(to, total);
    if (total == text.length) { /* no bad byte: it would have become three */
        bytes_append(to, text.text, text.length);
        return;
    }
    for (size_t i = 0; i < text.length; i += length ? length : 1) {
        uint32_t code;
        length = escape_decode(text.text + i, text.length - i, &code);
        bytes_append(to, length ? text.text + i : "\xef\xbf\xbd", length ? length : 3);
    }
}
