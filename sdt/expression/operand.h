/* SPDX-License-Identifier: BSD-2-Clause */
/* What the names in an expression (expression.h) are, and what they stand for. */
#ifndef SDT_EXPRESSION_OPERAND_H
#define SDT_EXPRESSION_OPERAND_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OPERAND_SIGNED = 16, OPERAND_FLOAT = 32, OPERAND_BYTES = 15 /* mask */ };
enum operand_kind { OPERAND_MISSING, OPERAND_INTEGER, OPERAND_REAL, OPERAND_TEXT };

struct operand {
    enum operand_kind kind;
    bool is_spelled; /* text in which "__" and "-" are the same, as in the name of a probe */
    bool has_label;  /* an integer that has a name as well, with which text is compared */
    uint8_t element; /* an array, as the number of its elements: their size in bytes, with
                        OPERAND_SIGNED or OPERAND_FLOAT. 0: not an array */
    uint32_t unit;   /* of a number that is a time: how many nanoseconds 1 is; 0: not a time */
    union {
        struct slice label;
        struct slice elements; /* their bytes */
    };
    union {
        __int128 integer;
        double real;
        struct slice text;
    };
};

/* A name; that of `arg.x` is "x". */
struct expression_name {
    const char *name;
    bool is_argument; /* arg.NAME */
    bool is_call;     /* NAME(…) */
    size_t offset;
    size_t of; /* of a call whose first operand is a name alone: its number; else SIZE_MAX */
};

#endif
