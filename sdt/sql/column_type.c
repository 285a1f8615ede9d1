/* SPDX-License-Identifier: BSD-2-Clause */
#include "column_type.h"

static struct column integer(enum column_type type, unsigned bits)
{
    return (struct column){.type = type, .bits = bits, .is_optional = true};
}

struct column column_type_of(const struct field *field)
{
    struct column column = {.type = COLUMN_TEXT, .is_optional = true};
    if (field->label_count)
        return column;
    switch (field->kind) {
    case FIELD_SIGNED:
        return integer(COLUMN_SIGNED, 8 * field->width);
    case FIELD_UNSIGNED:
    case FIELD_HEX:
    case FIELD_POINTER:
        return integer(COLUMN_UNSIGNED, 8 * field->width);
    case FIELD_BOOL:
        column.type = COLUMN_BOOL;
        break;
    case FIELD_FLOAT:
        column.type = COLUMN_FLOAT;
        break;
    case FIELD_DOUBLE:
        column.type = COLUMN_DOUBLE;
        break;
    case FIELD_BYTES:
        column.type = COLUMN_BLOB;
        break;
    case FIELD_STRING:
    case FIELD_ARRAY:
    case FIELD_UNKNOWN:
        break;
    }
    return column;
}

static bool is_integer(const struct column *column)
{
    return column->type == COLUMN_SIGNED || column->type == COLUMN_UNSIGNED;
}

static bool is_real(const struct column *column)
{
    return column->type == COLUMN_FLOAT || column->type == COLUMN_DOUBLE;
}

/* How many bits a signed column needs for it. */
static unsigned signed_bits(const struct column *column)
{
    return column->type == COLUMN_SIGNED ? column->bits : 2 * column->bits;
}

void column_type_widen(struct column *column, const struct column *other)
{
    bool has_text = column->type == COLUMN_TEXT || other->type == COLUMN_TEXT;
    unsigned ours = signed_bits(column), theirs = signed_bits(other);
    if (column->type == other->type) {
        column->bits = other->bits > column->bits ? other->bits : column->bits;
    } else if (is_integer(column) && is_integer(other) && ours <= 64 && theirs <= 64) {
        column->type = COLUMN_SIGNED;
        column->bits = ours > theirs ? ours : theirs;
    } else if (is_real(column) && is_real(other)) {
        column->type = COLUMN_DOUBLE;
    } else {
        column->is_mixed = column->is_mixed || !has_text; /* names of values are no surprise */
        column->type = COLUMN_TEXT;
    }
}
