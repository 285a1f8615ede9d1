/* SPDX-License-Identifier: BSD-2-Clause */
/* Expressions on events (shared/grammar.h). Pure: what a name means is asked of the caller. */
#ifndef SDT_EXPRESSION_H
#define SDT_EXPRESSION_H

#include "base/memory.h"

#include <shared/grammar.h>

/* A name; that of `arg.x` and of `p->x` is "x". */
struct expression_name {
    const char *name;
    bool is_argument; /* arg.NAME */
    bool is_call;     /* NAME(…) */
    bool is_member;   /* …->NAME, ….NAME */
    size_t offset;
    size_t of; /* of a call whose first operand is a name alone: its number; else SIZE_MAX */
};

/*
 * Nesting is bounded by the parser, and with it the stack: each level of parentheses leaves at most
 * six operands waiting, one for each kind of operator that has two, and an array.
 */
enum { MAX_DEPTH = 64, STACK_SIZE = 6 * (MAX_DEPTH + 1) + 1 };

struct step {
    enum code code;
    size_t index;           /* of a name, or of what is called */
    enum function function; /* that is called */
    size_t offset;          /* in the text */
    struct term constant;
};

struct expression {
    struct step *steps;
    size_t count, capacity;
    struct expression_name *names;
    size_t name_count, name_capacity;
    struct arena arena;
};

/* NULL if TEXT is no expression; *ERROR is set then. */
struct expression *expression_parse(const char *text, struct grammar_error *error);
void expression_free(struct expression *expression);

/* The names used; those in the operand of a call come before it. */
size_t expression_names(const struct expression *expression, const struct expression_name **names);

/* Gives name number INDEX its meaning: sets *VALUE, which is "missing" before. */
typedef void expression_lookup(void *scope, size_t index, const struct expression_name *name,
                               struct term *value);
/* What the expression is. A text in it lies where LOOKUP has found it. */
struct term expression_value(const struct expression *expression, expression_lookup *lookup,
                             void *scope);
/* Does the expression hold? */
bool expression_holds(const struct expression *expression, expression_lookup *lookup, void *scope);

#endif
