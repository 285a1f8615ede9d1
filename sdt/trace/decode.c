/* SPDX-License-Identifier: BSD-2-Clause */
#include "decode.h"

#include <string.h>

enum { CONTEXT_SIZE = (DECODE_TRACE + DECODE_SPAN) / 2 }; /* before the fields */

/* Little endian, as the machine that we run on. */
static uint64_t load(const uint8_t *from, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, from, size);
    return value;
}

/* A string with its NUL, or a u16 and as many elements; returns the length used, 0 if cut off. */
static size_t take_text(const struct field *field, const uint8_t *from, size_t left,
                        struct slice *text)
{
    if (field->kind == FIELD_STRING) {
        const uint8_t *end = left ? memchr(from, '\0', left) : NULL;
        *text = (struct slice){(const char *)from, end ? (size_t)(end - from) : 0};
        return end ? text->length + 1 : 0;
    }
    if (left < 2)
        return 0;
    *text = (struct slice){(const char *)from + 2,
                           load(from, 2) * (field->kind == FIELD_ARRAY ? field->element_size : 1)};
    return text->length <= left - 2 ? text->length + 2 : 0;
}

static void take_number(const struct field *field, const uint8_t *from, struct value *value)
{
    uint64_t bits = load(from, field->size);
    if (field->width < field->size)
        bits &= ((uint64_t)1 << 8 * field->width) - 1;
    if (field->kind == FIELD_SIGNED) {
        unsigned shift = 64 - 8 * field->width;
        value->number = (int64_t)(bits << shift) >> shift;
    } else if (field->kind == FIELD_FLOAT && field->size == 4) {
        float narrow;
        memcpy(&narrow, &bits, sizeof narrow);
        value->real = (double)narrow;
    } else if (field->kind == FIELD_FLOAT || field->kind == FIELD_DOUBLE)
        memcpy(&value->real, &bits, sizeof value->real);
    else
        value->natural = field->kind == FIELD_BOOL ? bits != 0 : bits;
}

struct value decode_element(const struct field *field, const struct value *value, size_t index,
                            struct field *element)
{
    struct value result = {0};
    *element = (struct field){
        .kind = field->element_kind, .size = field->element_size, .width = field->element_size};
    take_number(element, (const uint8_t *)value->text.text + index * element->size, &result);
    return result;
}

/* The value of FIELD, at *AT of the SIZE bytes of PAYLOAD; *AT goes after it. What is wrong, or
 * NULL. */
static const char *take_field(const struct field *field, const uint8_t *payload, size_t size,
                              size_t *at, struct value *value)
{
    size_t length = field->size;
    if (length) {
        if (length > size - *at)
            return "an event is shorter than its fields";
        take_number(field, payload + *at, value);
    } else {
        length = take_text(field, payload + *at, size - *at, &value->text);
        if (!length)
            return "a string or a sequence extends beyond its event";
    }
    *at += length;
    return NULL;
}

/* Two more values, of the ids at FROM; none if these are zero. */
static void take_context(const uint8_t *from, struct decoded *decoded)
{
    static const char digits[] = "0123456789abcdef";
    static const uint8_t none[CONTEXT_SIZE];
    if (memcmp(from, none, sizeof none) == 0)
        return;
    for (size_t i = 0; i < CONTEXT_SIZE; i++) {
        decoded->ids[2 * i] = digits[from[i] >> 4];
        decoded->ids[2 * i + 1] = digits[from[i] & 15];
    }
    struct value *values = &decoded->values[decoded->count];
    values[0].text = (struct slice){decoded->ids, DECODE_TRACE};
    values[1].text = (struct slice){decoded->ids + DECODE_TRACE, DECODE_SPAN};
    decoded->count += TRACE_IDS;
    decoded->fields += TRACE_IDS;
}

const char *decode_event(const struct event_class *class, const uint8_t *payload, size_t size,
                         struct decoded *decoded)
{
    const char *problem = NULL;
    size_t arguments = trace_arguments(class);
    size_t at = class->has_context ? CONTEXT_SIZE : 0;
    decoded->count = 0;
    decoded->fields = arguments;
    if (size < at)
        return "an event is shorter than its context";
    while (!problem && decoded->count < arguments && class->fields[decoded->count].kind) {
        problem = take_field(&class->fields[decoded->count], payload, size, &at,
                             &decoded->values[decoded->count]);
        decoded->count++;
    }
    if (problem || decoded->count < arguments)
        return problem;
    if (class->has_context)
        take_context(payload, decoded);
    if (class->has_callers)
        problem = take_field(&class->fields[class->field_count], payload, size, &at,
                             &decoded->values[decoded->count++]);
    return problem;
}

const char *decode_label(const struct field *field, const struct value *value)
{
    if (field->kind != FIELD_SIGNED && field->kind != FIELD_UNSIGNED && field->kind != FIELD_HEX)
        return NULL;
    uint64_t mask = field->width < 8 ? ((uint64_t)1 << 8 * field->width) - 1 : UINT64_MAX;
    for (size_t i = 0; i < field->label_count; i++)
        if (((field->labels[i].value ^ value->natural) & mask) == 0)
            return field->labels[i].text;
    return NULL;
}
