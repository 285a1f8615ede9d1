/* SPDX-License-Identifier: BSD-2-Clause */
#include "value_text.h"

#include "base/json.h"
#include "print/text.h"

#include <math.h>
#include <sdt/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A float is stored as a double, as which it has digits that are not in the source. */
static void append_float(struct bytes *to, double number)
{
    char buffer[40];
    if (isnan(number) || fabs(number) > 3e38 || (double)(float)number != number) {
        text_real(to, number);
        return;
    }
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(buffer, sizeof buffer, "%.*g", digits, number);
        if ((double)strtof(buffer, NULL) == number)
            break;
    }
    text_append(to, buffer);
}

static void append_bytes(struct bytes *to, struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        text_hex_digits(to, (unsigned char)text.text[i], 2);
}

typedef void append_value(struct bytes *to, const struct field *field, const struct value *value);

static void append_array(struct bytes *to, const struct field *field, const struct value *value,
                         append_value *append)
{
    text_char(to, '[');
    for (size_t i = 0; i < value->text.length / field->element_size; i++) {
        struct field type;
        struct value element = decode_element(field, value, i, &type);
        text_append(to, i ? ", " : "");
        append(to, &type, &element);
    }
    text_char(to, ']');
}

/* A name as it is, or in quotes. */
static void append_label(struct bytes *to, const char *label)
{
    bool is_word = strspn(label, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 "_-.") == strlen(label);
    text_append(to, is_word ? "" : "\"");
    text_escaped(to, slice_of(label));
    text_append(to, is_word ? "" : "\"");
}

void text_unit(struct bytes *to, const struct field *field, const struct value *value)
{
    bool is_number = field->kind == FIELD_SIGNED || field->kind == FIELD_UNSIGNED ||
                     field->kind == FIELD_FLOAT || field->kind == FIELD_DOUBLE;
    if (field->unit && is_number && !decode_label(field, value))
        text_escaped(to, slice_of(field->unit));
}

void text_value(struct bytes *to, const struct field *field, const struct value *value)
{
    const char *label = field->label_count ? decode_label(field, value) : NULL;
    if (label) {
        append_label(to, label);
        return;
    }
    switch (field->kind) {
    case FIELD_SIGNED:
        text_integer(to, value->number);
        break;
    case FIELD_UNSIGNED:
        text_natural(to, value->natural);
        break;
    case FIELD_HEX:
    case FIELD_POINTER:
        text_hex(to, value->natural);
        break;
    case FIELD_BOOL:
        text_append(to, value->natural ? "true" : "false");
        break;
    case FIELD_FLOAT:
        append_float(to, value->real);
        break;
    case FIELD_DOUBLE:
        text_real(to, value->real);
        break;
    case FIELD_STRING:
        text_char(to, '"');
        text_escaped(to, value->text);
        text_char(to, '"');
        break;
    case FIELD_BYTES:
        append_bytes(to, value->text);
        break;
    case FIELD_ARRAY:
        append_array(to, field, value, text_value);
        break;
    case FIELD_UNKNOWN:
        text_char(to, '?');
        break;
    }
}

/* With a point or an exponent, so that a reader who tells integers from others makes a double. */
static void append_json_real(struct bytes *to, double number)
{
    size_t start = to->size;
    if (!isfinite(number)) {
        text_append(to, "null");
        return;
    }
    text_real(to, number);
    if (!memchr(to->data + start, '.', to->size - start) &&
        !memchr(to->data + start, 'e', to->size - start))
        text_append(to, ".0");
}

void text_json_value(struct bytes *to, const struct field *field, const struct value *value)
{
    const char *label = field->label_count ? decode_label(field, value) : NULL;
    if (label) {
        json_quote(to, slice_of(label));
        return;
    }
    switch (field->kind) {
    case FIELD_HEX:
    case FIELD_POINTER:
        text_natural(to, value->natural);
        break;
    case FIELD_FLOAT:
    case FIELD_DOUBLE:
        append_json_real(to, value->real);
        break;
    case FIELD_STRING:
        json_quote(to, value->text);
        break;
    case FIELD_BYTES:
        text_char(to, '"');
        append_bytes(to, value->text);
        text_char(to, '"');
        break;
    case FIELD_ARRAY:
        append_array(to, field, value, text_json_value);
        break;
    case FIELD_UNKNOWN:
        text_append(to, "null");
        break;
    default:
        text_value(to, field, value);
        break;
    }
}

/* Of argument I. */
static void append_value_of(struct bytes *to, const struct event *event, size_t i)
{
    const struct field *field = &event->class->fields[i];
    if (i >= event->value_count) {
        text_char(to, '?');
        return;
    }
    text_value(to, field, &event->values[i]);
    text_unit(to, field, &event->values[i]);
}

static void append_argument(struct bytes *to, const struct event *event, size_t i)
{
    text_escaped(to, slice_of(event->class->fields[i].name));
    text_char(to, '=');
    append_value_of(to, event, i);
}

static void append_from(struct bytes *to, const struct event *event, size_t first)
{
    for (size_t i = first; i < event->field_count; i++) {
        text_char(to, ' ');
        append_argument(to, event, i);
    }
}

void event_append_arguments(struct bytes *to, const struct event *event)
{
    append_from(to, event, 0);
}

/* Whether it is at the entry or the end of a function (SDT_FUNCTION_PROVIDER). */
static bool is_of_function(const struct event_class *class)
{
    return !strcmp(class->provider, SDT_FUNCTION_PROVIDER) && *class->function &&
           class->field_count && !strcmp(class->fields[0].name, SDT_FUNCTION_FRAME) &&
           (!strcmp(class->name, SDT_FUNCTION_ENTRY) || !strcmp(class->name, SDT_FUNCTION_RETURN));
}

void event_append_result(struct bytes *to, const struct event *event)
{
    if (trace_arguments(event->class) < 2)
        return;
    text_append(to, " = ");
    append_value_of(to, event, 1);
}

bool event_append_call(struct bytes *to, const struct event *event)
{
    const struct event_class *class = event->class;
    size_t arguments = trace_arguments(class);
    if (!is_of_function(class))
        return false;
    text_function_alone(to, class->function);
    if (!strcmp(class->name, SDT_FUNCTION_ENTRY)) {
        text_char(to, '(');
        for (size_t i = 1; i < arguments; i++) {
            text_append(to, i > 1 ? ", " : "");
            append_argument(to, event, i);
        }
        text_char(to, ')');
    } else if (arguments > 1) {
        event_append_result(to, event);
    } else {
        text_append(to, " returns");
    }
    append_from(to, event, arguments);
    return true;
}

void event_append(struct bytes *to, const struct event *event)
{
    text_escaped(to, slice_of(event->recording->probes[event->class->probe].label));
    event_append_arguments(to, event);
}
