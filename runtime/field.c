/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See field.h. A descriptor that ends in a tab is followed by strings (<sdt/format.h>): the place
 * in the source, and `KIND:NAME` for each argument. record_check() has seen them all.
 */
#include "field.h"

#include <string.h>

static const char *const unnamed[SDT_MAX_ARGS] = {
    "arg0", "arg1", "arg2", "arg3", "arg4",  "arg5",
    "arg6", "arg7", "arg8", "arg9", "arg10", "arg11",
};

/* What follows TEXT, a descriptor; NULL: nothing does. */
static const char *behind(const char *text)
{
    size_t length = text ? strlen(text) : 0;
    return length && text[length - 1] == '\t' ? text + length + 1 : NULL;
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
    return text[0] && strchr("iuxbpfstyn", text[0]) && text[1] == ':' && text[2] &&
           strlen(text + 2) <= UINT8_MAX;
}

void field_read(const struct args *args, const char *text, struct field fields[SDT_MAX_ARGS])
{
    const char *at = behind(text);
    for (unsigned i = 0; i < args->count; i++) {
        struct field *field = &fields[i];
        field->name = unnamed[i];
        field->name_length = (uint8_t)strlen(unnamed[i]);
        field->kind = kind_of(args->type[i]);
        field->size = args->type[i] & SDT_ARG_SIZE;
        if (!at)
            continue;
        at += strlen(at) + 1; /* the place, or the one before */
        field->kind = (uint8_t)at[0];
        field->name = at + 2;
        field->name_length = (uint8_t)strlen(field->name);
    }
}

const char *field_type(const struct field *field)
{
    static const char *const integers[3][4] = {
        {"int8", "int16", "int32", "int64"},
        {"uint8", "uint16", "uint32", "uint64"},
        {"hex8", "hex16", "hex32", "hex64"},
    };
    unsigned log = field->size >= 8 ? 3 : field->size >= 4 ? 2 : field->size >= 2 ? 1 : 0;
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
    case FIELD_BYTES:
        return "bytes";
    default:
        return integers[1][log];
    }
}

const char *field_place(const char *text)
{
    text = behind(text);
    return text ? text : "";
}
