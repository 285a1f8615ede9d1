/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See field.h. A descriptor that ends in a tab is followed by strings (<sdt/format.h>): `KIND:NAME`
 * for each argument, perhaps with names of its values after the KIND. record_check() has seen them
 * all.
 */
#include "field.h"

#include <string.h>

static const char *const unnamed[SDT_MAX_ARGS] = {
    "arg0", "arg1", "arg2", "arg3", "arg4",  "arg5",
    "arg6", "arg7", "arg8", "arg9", "arg10", "arg11",
};

/* What follows TEXT and its NUL. Volatile: compilers would call strlen(), see field_at(). */
static const char *skip(const char *text)
{
    while (*(const volatile char *)text)
        text++;
    return text + 1;
}

/* What follows TEXT, a descriptor; NULL: nothing does. */
static const char *after_descriptor(const char *text)
{
    const char *next = text ? skip(text) : NULL;
    return next && next - text > 1 && next[-2] == '\t' ? next : NULL;
}

static uint8_t kind_of(uint8_t type)
{
    return type & SDT_ARG_FLOAT     ? FIELD_FLOAT
           : type & SDT_ARG_POINTER ? FIELD_POINTER
           : type & SDT_ARG_SIGNED  ? FIELD_SIGNED
                                    : FIELD_UNSIGNED;
}

bool field_is_text(const char *text)
{
    const char *name = text[0] ? strchr(text + 1, ':') : NULL;
    bool has_labels = text[0] && strchr("iux", text[0]) && text[1] == ';';
    return name && strchr("iuxbpfstynamvSMUN", text[0]) && (name == text + 1 || has_labels) &&
           name[1] && strlen(name + 1) <= UINT8_MAX;
}

struct field field_at(const struct args *args, const char *text, unsigned index)
{
    struct field field = {.name = unnamed[index],
                          .kind = kind_of(args->type[index]),
                          .size = args->type[index] & SDT_ARG_SIZE};
    const char *at = after_descriptor(text);
    if (at) {
        for (unsigned i = 0; i < index; i++)
            at = skip(at);
        field.kind = (uint8_t)at[0];
        field.labels = at[1] == ';' ? at + 1 : NULL;
        while (*at != ':') /* there is one: field_is_text() */
            at++;
        field.name = at + 1;
    }
    if (field.kind == FIELD_ARRAY && index + 2 >= args->count)
        field.kind = FIELD_POINTER; /* not from sdtlink: it has no element */
    if (field.kind == FIELD_ARRAY) {
        field.element_kind = kind_of(args->type[index + 2]);
        field.element_size = args->type[index + 2] & SDT_ARG_SIZE;
    }
    field.name_length = (uint8_t)(skip(field.name) - field.name - 1);
    return field;
}

void field_read(const struct args *args, const char *text, struct field fields[SDT_MAX_ARGS])
{
    for (unsigned i = 0; i < args->count; i++)
        fields[i] = field_at(args, text, i);
}

static unsigned log_of(unsigned size)
{
    return size >= 8 ? 3 : size >= 4 ? 2 : size >= 2 ? 1 : 0;
}

static const char *array_type(const struct field *field)
{
    static const char *const integers[2][4] = {
        {"int8[]", "int16[]", "int32[]", "int64[]"},
        {"uint8[]", "uint16[]", "uint32[]", "uint64[]"},
    };
    if (field->element_kind == FIELD_FLOAT)
        return field->element_size == 4 ? "float[]" : "double[]";
    if (field->element_kind == FIELD_POINTER)
        return "pointer[]";
    return integers[field->element_kind != FIELD_SIGNED][log_of(field->element_size)];
}

const char *field_type(const struct field *field)
{
    static const char *const integers[3][4] = {
        {"int8", "int16", "int32", "int64"},
        {"uint8", "uint16", "uint32", "uint64"},
        {"hex8", "hex16", "hex32", "hex64"},
    };
    unsigned log = log_of(field->size);
    switch (field->kind) {
    case FIELD_SIGNED:
        return integers[0][log];
    case FIELD_HEX:
        return integers[2][log];
    case FIELD_BOOL:
        return "bool";
    case FIELD_POINTER:
        return "pointer";
    case FIELD_FLOAT:
        return field->size == 4 ? "float" : "double";
    case FIELD_STRING:
    case FIELD_TEXT:
        return "string";
    case FIELD_VIEW:
        return "string_view";
    case FIELD_SECONDS:
        return "duration_s";
    case FIELD_MILLISECONDS:
        return "duration_ms";
    case FIELD_MICROSECONDS:
        return "duration_us";
    case FIELD_NANOSECONDS:
        return "duration_ns";
    case FIELD_BYTES:
        return "bytes";
    case FIELD_LENGTH:
        return "length";
    case FIELD_ARRAY:
        return array_type(field);
    case FIELD_ELEMENT:
        return "element";
    default:
        return integers[1][log];
    }
}
