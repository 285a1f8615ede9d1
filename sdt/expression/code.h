/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code that expression.c compiles and evaluate.c executes: steps that work on a
 * stack of operands. So evaluation needs no recursion, and a long chain of operators, which would
 * be a deep tree, costs no stack.
 */
#ifndef SDT_EXPRESSION_CODE_H
#define SDT_EXPRESSION_CODE_H

#include "base/memory.h"
#include "operand.h"

/*
 * Nesting is bounded by the parser, and with it the stack: each level of parentheses leaves at most
 * six operands waiting, one for each kind of operator that has two, and an array.
 */
enum { MAX_DEPTH = 64, STACK_SIZE = 6 * (MAX_DEPTH + 1) + 1 };

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
    CODE_CALL,
    CODE_CALL_TWO /* with two operands */
};

struct step {
    enum code code;
    size_t index;           /* of a name, or of what is called */
    size_t offset;          /* in the text */
    struct operand operand; /* a constant */
};

struct expression {
    struct step *steps;
    size_t count, capacity;
    struct expression_name *names;
    size_t name_count, name_capacity;
    struct arena arena;
};

/* How many operands a step takes from the stack. */
static inline size_t code_operands(enum code code)
{
    return code == CODE_CONSTANT || code == CODE_NAME ? 0
           : code == CODE_NOT || code == CODE_NEGATE || code == CODE_COMPLEMENT || code == CODE_CALL
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

/* NAME(A), or NAME(A, B) if B is not NULL; missing if it is none of expression_can_call(). */
struct operand code_call(const char *name, const struct operand *a, const struct operand *b);
/* The result of a step; B is ignored if there is one operand. Not for calls. */
struct operand code_apply(enum code code, const struct operand *a, const struct operand *b);
bool code_is_true(const struct operand *a);

#endif
