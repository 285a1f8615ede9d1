/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the arguments of a site are called, and what they mean: the strings that follow its argument
 * descriptor (<sdt/format.h>). Pure functions.
 */
#ifndef SDT_FIELD_H
#define SDT_FIELD_H

#include "args.h"

#include <stddef.h>

/* What an argument means: the letters of the descriptor. */
enum field_kind {
    FIELD_SIGNED = 'i',
    FIELD_UNSIGNED = 'u',
    FIELD_HEX = 'x', /* unsigned, to be shown in base 16 */
    FIELD_BOOL = 'b',
    FIELD_POINTER = 'p', /* an address; what it points to does not matter */
    FIELD_FLOAT = 'f',   /* a float or double */
    FIELD_STRING = 's',  /* the address of text that ends with a NUL */
    FIELD_TEXT = 't',    /* the address of text; the next argument is how long it is */
    FIELD_BYTES = 'y',   /* the same, of bytes */
    FIELD_LENGTH = 'n',  /* the length of the one before: shown as a part of that */
    FIELD_ARRAY = 'a',   /* the address of an array; then its length, and an element */
    FIELD_ELEMENT = 'm', /* of the array before the length: only its type matters */
    FIELD_VIEW = 'v',    /* the address of a struct sdt_text */
    FIELD_SECONDS = 'S', /* durations, signed */
    FIELD_MILLISECONDS = 'M',
    FIELD_MICROSECONDS = 'U',
    FIELD_NANOSECONDS = 'N'
};

struct field {
    const char *name; /* a C identifier, in the descriptor or static */
    uint8_t name_length;
    const char *labels; /* ";0=idle;1=busy:" of an enumeration (describe_read_labels); or NULL */
    uint8_t kind;       /* enum field_kind */
    uint8_t size;       /* bytes of the declared type: 1, 2, 4, 8 */
    uint8_t element_kind, element_size; /* of an array: of its elements, FIELD_SIGNED and so on */
};

/* Whether it is a part of what was copied: the length, or the type of the elements. */
static inline bool field_is_part(const struct field *field)
{
    return field->kind == FIELD_LENGTH || field->kind == FIELD_ELEMENT;
}

/*
 * The field of argument INDEX of a site with ARGS, whose descriptor is TEXT (NULL: it has none).
 * Arguments without a name are arg0, arg1, … Handlers call it: general registers only, no C
 * library.
 */
struct field field_at(const struct args *args, const char *text, unsigned index);
/* All of them. */
void field_read(const struct args *args, const char *text, struct field fields[SDT_MAX_ARGS]);

/* Whether TEXT is a `KIND:NAME`. */
bool field_is_text(const char *text);

/* "int32", "uint8", "hex64", "bool", "pointer", "float", "double", "string", "string_view",
 * "bytes", "int32[]", "length", "element", "duration_ms". Static. */
const char *field_type(const struct field *field);

#endif
