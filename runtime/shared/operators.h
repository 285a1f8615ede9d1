/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the steps of an expression (grammar.h) do with their operands. Pure functions, of the
 * runtime and of the tools: no allocation, so a hit may call them.
 *
 * Integers are exact: the whole range of signed and unsigned 64-bit ones. What has no value (a name
 * that the event does not have, a division by zero, text in a sum, text compared with a number) is
 * missing; a comparison with it is false, and as a condition it counts as false. If the units of a
 * comparison, a sum or a quotient differ, both become nanoseconds.
 */
#ifndef SDT_OPERATORS_H
#define SDT_OPERATORS_H

#include "term.h"

enum code {
    CODE_CONSTANT,
    CODE_NAME,
    CODE_OR,
    CODE_AND,
    CODE_NOT,
    CODE_EQUAL,
    CODE_UNEQUAL,
    CODE_LESS,
    CODE_LESS_EQUAL,
    CODE_MORE,
    CODE_MORE_EQUAL,
    CODE_BEGINS,
    CODE_ADD,
    CODE_SUBTRACT,
    CODE_MULTIPLY,
    CODE_DIVIDE,
    CODE_REMAINDER,
    CODE_BITS,
    CODE_BITS_OR,
    CODE_BITS_XOR,
    CODE_LEFT,
    CODE_RIGHT,
    CODE_NEGATE,
    CODE_COMPLEMENT,
    CODE_ELEMENT,
    CODE_MEMBER, /* of a structure, or of what a pointer points to */
    CODE_CALL,
    CODE_CALL_TWO /* with two operands */
};

/* How many operands a step takes from the stack. */
static inline size_t code_operands(enum code code)
{
    return code == CODE_CONSTANT || code == CODE_NAME ? 0
           : code == CODE_NOT || code == CODE_NEGATE || code == CODE_COMPLEMENT ||
                   code == CODE_MEMBER || code == CODE_CALL
               ? 1
               : 2;
}

/* The unit of the result of a calculation with operands of units A and B. */
static inline uint32_t code_unit(enum code code, uint32_t a, uint32_t b)
{
    return code == CODE_ADD || code == CODE_SUBTRACT ? (a ? a : b)
           : code == CODE_MULTIPLY                   ? (a && b ? 0 : a | b)
           : code == CODE_DIVIDE                     ? (b ? 0 : a)
           : code == CODE_REMAINDER                  ? a
                                                     : 0;
}

/* Whether both operands must have the same unit, if they have one. */
static inline bool code_needs_unit(enum code code)
{
    return (code >= CODE_EQUAL && code <= CODE_SUBTRACT) || code == CODE_DIVIDE ||
           code == CODE_REMAINDER;
}

/* What binds tightest comes first. The comments go into the manual page. */
enum level {
    LEVEL_SIGN,     /* of one number */
    LEVEL_PRODUCT,  /* numbers; all but * and / only integers */
    LEVEL_SUM,      /* numbers; the last two only integers */
    LEVEL_RELATION, /* numbers, or texts; ^= whether a text begins with another one */
    LEVEL_NOT,      /* not */
    LEVEL_AND,      /* and */
    LEVEL_OR        /* or */
};

/* An operator as it is written. Where several begin alike, the longest is meant. */
struct code_mark {
    char text[3];
    uint8_t level; /* enum level */
    uint8_t code;  /* enum code */
};

/* A function as it is written, and how many operands it takes at most; at least one. */
enum function { FUNCTION_STR, FUNCTION_LEN, FUNCTION_INT, FUNCTIONS };
struct code_name {
    char name[4];
    uint8_t most;
};

/* The only lists of operators and functions: the parser reads them, docs/man/operators.py writes
 * the manual page from them, and tests/docs/test_grammar.py compares what else names them. The last
 * mark is empty. */
extern const struct code_mark code_marks[];
extern const struct code_name code_names[FUNCTIONS];

/* The memory of the process may be gone, so str() takes a text, and can only shorten it. */
enum function code_function(struct slice name); /* FUNCTIONS: none */

/* FUNCTION(A), or FUNCTION(A, B) if B is not NULL. */
struct term code_call(enum function function, const struct term *a, const struct term *b);
/* The result of a step; B is ignored if there is one operand. Not for calls. */
struct term code_apply(enum code code, const struct term *a, const struct term *b);
bool code_is_true(const struct term *a);

#endif
