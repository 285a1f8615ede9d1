/* SPDX-License-Identifier: BSD-2-Clause */
/* A value in an expression (grammar.h). */
#ifndef SDT_TERM_H
#define SDT_TERM_H

#include "slice.h"

#include <stdint.h>

enum { TERM_SIGNED = 16, TERM_FLOAT = 32, TERM_BYTES = 15 /* mask */ };
enum term_kind { TERM_MISSING, TERM_INTEGER, TERM_REAL, TERM_TEXT };

struct term {
    enum term_kind kind;
    bool is_spelled; /* text in which "__" and "-" are the same, as in the name of a probe */
    bool has_label;  /* an integer that has a name as well, with which text is compared */
    uint8_t element; /* an array, as the number of its elements: their size in bytes, with
                        TERM_SIGNED or TERM_FLOAT. 0: not an array */
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

#endif
