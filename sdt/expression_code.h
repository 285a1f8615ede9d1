/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What expression.c makes of an expression and expression_evaluate.c carries out: steps that work
 * on a stack of operands. So evaluation needs no recursion, and a long chain of operators, which is
 * deep only as a tree, costs nothing.
 */
#ifndef SDT_EXPRESSION_CODE_H
#define SDT_EXPRESSION_CODE_H

#include "expression.h"
#include "memory.h"

/*
 * Nesting is bounded by the parser, and with it the stack: each level of parentheses leaves at most
 * five operands waiting, one for each kind of operator that has two.
 */
enum { DEPTH_MOST = 64, STACK_SIZE = 5 * (DEPTH_MOST + 1) + 1 };

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
    CODE_NEGATE
};

struct step {
    enum code code;
    size_t index;           /* of a name */
    struct operand operand; /* a constant */
};

struct expression {
    struct step *steps;
    size_t count, room;
    struct expression_name *names;
    size_t name_count, name_room;
    struct arena arena;
};

#endif
