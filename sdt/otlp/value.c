/* SPDX-License-Identifier: BSD-2-Clause */
/* See value.h. */
#include "value.h"

#include "base/text.h"
#include "trace/value_text.h"

#include <string.h>

static void append_value(const struct otlp *otlp, const struct field *field,
                         const struct value *value);

static void append_array(const struct otlp *otlp, const struct field *field,
                         const struct value *value)
{
    size_t array = otlp_open(otlp, OTLP_VALUE_ARRAY);
    otlp_list(otlp, OTLP_ARRAY_VALUES);
    for (size_t i = 0; i < value->text.length / field->element_size; i++) {
        struct field type;
        struct value element = decode_element(field, value, i, &type);
        size_t place = otlp_element(otlp, OTLP_ARRAY_VALUES);
        append_value(otlp, &type, &element);
        otlp_close(otlp, place);
    }
    otlp_end_list(otlp);
    otlp_close(otlp, array);
}

/* As people see it: an address, or a number that needs more than 63 bits. */
static void append_as_text(const struct otlp *otlp, const struct field *field,
                           const struct value *value)
{
    struct bytes text = {0};
    text_value(&text, field, value);
    otlp_text(otlp, OTLP_VALUE_STRING, (struct slice){(const char *)text.data, text.size});
    bytes_free(&text);
}

/* A member of AnyValue. One of a type that we do not know has none, which is valid. */
static void append_value(const struct otlp *otlp, const struct field *field,
                         const struct value *value)
{
    const char *label = field->label_count ? decode_label(field, value) : NULL;
    if (label) {
        otlp_text(otlp, OTLP_VALUE_STRING, slice_of(label));
        return;
    }
    switch (field->kind) {
    case FIELD_SIGNED:
        otlp_integer(otlp, OTLP_VALUE_INT, value->number);
        break;
    case FIELD_UNSIGNED:
        if (value->natural > INT64_MAX)
            append_as_text(otlp, field, value);
        else
            otlp_integer(otlp, OTLP_VALUE_INT, (int64_t)value->natural);
        break;
    case FIELD_HEX:
    case FIELD_POINTER:
        append_as_text(otlp, field, value);
        break;
    case FIELD_BOOL:
        otlp_flag(otlp, OTLP_VALUE_BOOL, value->natural != 0);
        break;
    case FIELD_FLOAT:
    case FIELD_DOUBLE:
        otlp_real(otlp, OTLP_VALUE_DOUBLE, value->real);
        break;
    case FIELD_STRING:
        otlp_text(otlp, OTLP_VALUE_STRING, value->text);
        break;
    case FIELD_BYTES:
        otlp_bytes(otlp, OTLP_VALUE_BYTES, value->text);
        break;
    case FIELD_ARRAY:
        append_array(otlp, field, value);
        break;
    case FIELD_UNKNOWN:
        break;
    }
}

void otlp_attribute_value(const struct otlp *otlp, enum otlp_field list, const char *name,
                          const struct field *field, const struct value *value)
{
    struct otlp_attribute attribute = otlp_attribute_open(otlp, list, name);
    append_value(otlp, field, value);
    otlp_attribute_close(otlp, attribute);
}

/* ---- Ids. ---- */

static bool read_digits(uint8_t *id, size_t size, struct slice text)
{
    if (text.length != 2 * size)
        return false;
    for (size_t i = 0; i < size; i++) {
        int high = hex_digit(text.text[2 * i]), low = hex_digit(text.text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        id[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static bool read_bytes(uint8_t *id, size_t size, struct slice bytes)
{
    if (bytes.length != size)
        return false;
    memcpy(id, bytes.text, size);
    return true;
}

static bool read_number(uint8_t *id, size_t size, const struct field *field, uint64_t number)
{
    if (field->size != size || size != sizeof number)
        return false;
    for (size_t i = 0; i < size; i++)
        id[i] = (uint8_t)(number >> (8 * (size - 1 - i)));
    return true;
}

static bool read_value(uint8_t *id, size_t size, const struct field *field,
                       const struct value *value)
{
    switch (field->kind) {
    case FIELD_STRING:
        return read_digits(id, size, value->text);
    case FIELD_BYTES:
        return read_bytes(id, size, value->text);
    case FIELD_ARRAY:
        return field->element_size == 1 && read_bytes(id, size, value->text);
    case FIELD_UNSIGNED:
    case FIELD_HEX:
        return read_number(id, size, field, value->natural);
    default:
        return false;
    }
}

bool otlp_id_read(uint8_t *id, size_t size, const struct field *field, const struct value *value)
{
    static const uint8_t none[OTLP_TRACE_SIZE];
    uint8_t found[OTLP_TRACE_SIZE];
    if (!read_value(found, size, field, value) || memcmp(found, none, size) == 0)
        return false;
    memcpy(id, found, size);
    return true;
}
