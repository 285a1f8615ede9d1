/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See answer.h. A message is fields, each a number, its kind and its value; fields that are unknown
 * here are left out, and what is no message says nothing.
 */
#include "answer.h"

enum { KIND_VARINT = 0, KIND_FIXED64 = 1, KIND_BYTES = 2, KIND_FIXED32 = 5 };
enum { RESPONSE_PARTIAL = 1, PARTIAL_REJECTED = 1, PARTIAL_MESSAGE = 2, STATUS_MESSAGE = 2 };

struct field {
    uint64_t key; /* number * 8 + kind */
    uint64_t number;
    struct slice bytes;
};

static bool read_varint(struct slice *from, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; from->length && shift < 64; shift += 7) {
        unsigned char byte = (unsigned char)*from->text++;
        from->length--;
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool skip(struct slice *from, uint64_t size)
{
    if (size > from->length)
        return false;
    from->text += size;
    from->length -= size;
    return true;
}

/* The next field of the message FROM; false: no more, or it is none. */
static bool read_field(struct slice *from, struct field *field)
{
    *field = (struct field){0};
    if (!read_varint(from, &field->key))
        return false;
    switch (field->key % 8) {
    case KIND_VARINT:
        return read_varint(from, &field->number);
    case KIND_FIXED64:
        return skip(from, 8);
    case KIND_FIXED32:
        return skip(from, 4);
    case KIND_BYTES:
        if (!read_varint(from, &field->number))
            return false;
        field->bytes = (struct slice){from->text, field->number};
        return skip(from, field->number);
    default:
        return false;
    }
}

static bool is_field(const struct field *field, unsigned number, unsigned kind)
{
    return field->key == number * 8 + kind;
}

static struct otlp_answer read_partial(struct slice partial)
{
    struct otlp_answer answer = {0};
    struct field field;
    while (read_field(&partial, &field))
        if (is_field(&field, PARTIAL_REJECTED, KIND_VARINT))
            answer.rejected = field.number;
        else if (is_field(&field, PARTIAL_MESSAGE, KIND_BYTES))
            answer.message = field.bytes;
    return answer;
}

struct otlp_answer otlp_answer_read(const void *data, size_t size)
{
    struct slice message = {data, size};
    struct otlp_answer answer = {0};
    struct field field;
    while (read_field(&message, &field))
        if (is_field(&field, RESPONSE_PARTIAL, KIND_BYTES))
            answer = read_partial(field.bytes);
    return answer;
}

struct otlp_answer otlp_refusal_read(const void *data, size_t size)
{
    struct slice message = {data, size};
    struct otlp_answer answer = {0};
    struct field field;
    while (read_field(&message, &field))
        if (is_field(&field, STATUS_MESSAGE, KIND_BYTES))
            answer.message = field.bytes;
    return answer;
}
