/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Conditions on the arguments of a hit: `ns > 1000000 && path ^= "/api/"`. They have the same
 * meaning as in `sdt report --filter` (sdt/expression/expression.h has the grammar), and tests
 * compare the two. But these are evaluated inside hits, in the user's program: their size is
 * bounded when they are parsed, and nothing is allocated afterwards.
 */
#ifndef SDT_RECORDER_CONDITION_H
#define SDT_RECORDER_CONDITION_H

#include "hit.h"

#include <sdt/runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CONDITION_STEPS = 128, /* constants, names and operators */
    CONDITION_TEXT = 1024, /* bytes of all names and texts */
    CONDITION_DEPTH = 16,  /* parentheses, signs and `!` inside each other */
    CONDITION_STACK = 5 * (CONDITION_DEPTH + 1) + 1
};

enum operation {
    OP_INTEGER,
    OP_REAL,
    OP_TEXT,
    OP_NAME,
    OP_OR,
    OP_AND,
    OP_NOT,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_MORE,
    OP_MORE_EQUAL,
    OP_BEGINS,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REMAINDER,
    OP_BITS,
    OP_NEGATE
};

/* Steps that work on a stack of values: so evaluating one needs no recursion. */
struct condition_step {
    uint8_t operation;
    bool is_argument;      /* arg.NAME */
    bool is_time;          /* of OP_INTEGER: nanoseconds */
    uint16_t text, length; /* of OP_TEXT and OP_NAME: where in `text` */
    union {
        uint64_t integer;
        double real;
    };
};

struct condition {
    unsigned count;
    unsigned text_size;
    struct condition_step steps[CONDITION_STEPS];
    char text[CONDITION_TEXT];
};

/* Read TEXT. 0, -EINVAL: it is not a condition; -E2BIG: it is too long. */
int condition_parse(const char *text, struct condition *condition);

/*
 * Whether CONDITION holds for EVENT; of each text, as many bytes are compared as RINGS record. What
 * has no value (a name that the event has not, a division by zero, text that cannot be read) makes
 * a comparison false. Async-signal-safe.
 */
bool condition_holds(const struct condition *condition, const struct sdt_event *event,
                     const struct rings *rings);

#endif
