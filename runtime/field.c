/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See field.h. The descriptor has up to three parts with a tab between them: types and operands
 * (args.h), fields, and the place in the source.
 */
#include "field.h"

#include <string.h>

static const char *const unnamed[SDT_MAX_ARGS] = {
    "arg0", "arg1", "arg2", "arg3", "arg4",  "arg5",
    "arg6", "arg7", "arg8", "arg9", "arg10", "arg11",
};

/* Part N of TEXT, up to its tab or the end; "" if there is none. */
static const char *part(const char *text, unsigned n)
{
    for (; text && n > 0; n--) {
        text = strchr(text, '\t');
        text += text != NULL;
    }
    return text ? text : "";
}

static uint8_t kind_of(uint8_t type)
{
    return type & SDT_ARG_FLOAT     ? FIELD_FLOAT
           : type & SDT_ARG_POINTER ? FIELD_POINTER
           : type & SDT_ARG_SIGNED  ? FIELD_SIGNED
                                    : FIELD_UNSIGNED;
}

/* One `NAME[:KIND]` at TEXT; returns what follows it and a blank. */
static const char *read_one(const char *text, struct field *field)
{
    size_t length = strcspn(text, ": \t");
    if (length > 0 && length <= UINT8_MAX) {
        field->name = text;
        field->name_length = (uint8_t)length;
    }
    text += length;
    if (*text == ':' && strchr("iuxbpfstyn", text[1]) && text[1])
        field->kind = (uint8_t)text[1];
    text += strcspn(text, " \t");
    return text + (*text == ' ');
}

void field_read(const struct args *args, const char *text, struct field fields[SDT_MAX_ARGS])
{
    const char *at = part(text, 1);
    for (unsigned i = 0; i < args->count; i++) {
        struct field *field = &fields[i];
        field->name = unnamed[i];
        field->name_length = (uint8_t)strlen(unnamed[i]);
        field->kind = kind_of(args->type[i]);
        field->size = args->type[i] & SDT_ARG_SIZE;
        at = read_one(at, field);
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
    return part(text, 2);
}
