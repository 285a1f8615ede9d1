/* SPDX-License-Identifier: BSD-2-Clause */
/* Columns, and which type one has for a field of an event; pure. */
#ifndef SDT_COLUMN_TYPE_H
#define SDT_COLUMN_TYPE_H

#include "trace/trace.h"

enum column_type {
    COLUMN_BOOL,
    COLUMN_SIGNED,
    COLUMN_UNSIGNED,
    COLUMN_FLOAT,
    COLUMN_DOUBLE,
    COLUMN_TEXT, /* UTF-8 */
    COLUMN_BLOB
};

struct column {
    char *name;
    char *field; /* name of the argument; NULL: it is none */
    enum column_type type;
    unsigned bits; /* of an integer: 8, 16, 32, 64 */
    bool is_optional;
    bool is_object; /* a text: JSON, with a member for each value that is put there */
    bool is_mixed;  /* text, since types that have no other in common met */
};

/* The column of FIELD alone, without names. */
struct column column_type_of(const struct field *field);
/* COLUMN is to hold what OTHER can as well. */
void column_type_widen(struct column *column, const struct column *other);

#endif
