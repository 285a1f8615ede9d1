/* SPDX-License-Identifier: BSD-2-Clause */
/* Carry out the steps of an expression. */
#include "expression_code.h"

#include <math.h>
#include <string.h>

static const struct operand missing = {.kind = OPERAND_MISSING};

static struct operand integer(__int128 value)
{
    return (struct operand){.kind = OPERAND_INTEGER, .integer = value};
}

static struct operand real(double value)
{
    return (struct operand){.kind = OPERAND_REAL, .real = value};
}

static bool is_number(const struct operand *a)
{
    return a->kind == OPERAND_INTEGER || a->kind == OPERAND_REAL;
}

static long double as_real(const struct operand *a)
{
    return a->kind == OPERAND_INTEGER ? (long double)a->integer : (long double)a->real;
}

static bool is_true(const struct operand *a)
{
    switch (a->kind) {
    case OPERAND_INTEGER:
        return a->integer != 0;
    case OPERAND_REAL:
        return a->real != 0 && !isnan(a->real);
    case OPERAND_TEXT:
        return a->text.length > 0;
    default:
        return false;
    }
}

static int compare_text(struct slice a, struct slice b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter ? memcmp(a.text, b.text, shorter) : 0;
    return order ? order : a.length < b.length ? -1 : a.length > b.length;
}

/* What has no order is unequal, and nothing else. */
static bool holds_unordered(enum code code)
{
    return code == CODE_UNEQUAL;
}

static bool holds_ordered(enum code code, int order)
{
    switch (code) {
    case CODE_EQUAL:
        return order == 0;
    case CODE_UNEQUAL:
        return order != 0;
    case CODE_LESS:
        return order < 0;
    case CODE_LESS_EQUAL:
        return order <= 0;
    case CODE_MORE:
        return order > 0;
    default:
        return order >= 0;
    }
}

static bool begins(const struct operand *a, const struct operand *b)
{
    return a->kind == OPERAND_TEXT && b->kind == OPERAND_TEXT && a->text.length >= b->text.length &&
           (!b->text.length || !memcmp(a->text.text, b->text.text, b->text.length));
}

/* An enumerator is compared with text by its name. */
static struct operand named(const struct operand *a, const struct operand *other)
{
    if (a->has_label && other->kind == OPERAND_TEXT)
        return (struct operand){.kind = OPERAND_TEXT, .text = a->label};
    return *a;
}

/* A long double of x86 holds every integer of 64 bits and every double. */
static bool compare_values(enum code code, const struct operand *a, const struct operand *b)
{
    if (code == CODE_BEGINS)
        return begins(a, b);
    if (a->kind == OPERAND_TEXT && b->kind == OPERAND_TEXT)
        return holds_ordered(code, compare_text(a->text, b->text));
    if (!is_number(a) || !is_number(b))
        return false;
    if (a->kind == OPERAND_INTEGER && b->kind == OPERAND_INTEGER)
        return holds_ordered(code, (a->integer > b->integer) - (a->integer < b->integer));
    long double one = as_real(a), other = as_real(b);
    if (isnan(one) || isnan(other))
        return holds_unordered(code);
    return holds_ordered(code, (one > other) - (one < other));
}

static bool compare(enum code code, const struct operand *a, const struct operand *b)
{
    struct operand one = named(a, b), other = named(b, a);
    return compare_values(code, &one, &other);
}

static struct operand calculate_integers(enum code code, __int128 a, __int128 b)
{
    __int128 result;
    switch (code) {
    case CODE_ADD:
        return __builtin_add_overflow(a, b, &result) ? missing : integer(result);
    case CODE_SUBTRACT:
        return __builtin_sub_overflow(a, b, &result) ? missing : integer(result);
    case CODE_MULTIPLY:
        return __builtin_mul_overflow(a, b, &result) ? missing : integer(result);
    case CODE_DIVIDE: /* -1: the quotient of the smallest number overflows */
        return b == 0    ? missing
               : b == -1 ? calculate_integers(CODE_SUBTRACT, 0, a)
                         : integer(a / b);
    case CODE_REMAINDER:
        return b == 0 ? missing : integer(b == -1 ? 0 : a % b);
    default:
        return integer(a & b);
    }
}

static struct operand calculate(enum code code, const struct operand *a, const struct operand *b)
{
    if (!is_number(a) || !is_number(b))
        return missing;
    if (a->kind == OPERAND_INTEGER && b->kind == OPERAND_INTEGER)
        return calculate_integers(code, a->integer, b->integer);
    double one = (double)as_real(a), other = (double)as_real(b);
    switch (code) {
    case CODE_ADD:
        return real(one + other);
    case CODE_SUBTRACT:
        return real(one - other);
    case CODE_MULTIPLY:
        return real(one * other);
    case CODE_DIVIDE:
        return other == 0 ? missing : real(one / other);
    default:
        return missing;
    }
}

static struct operand apply(enum code code, const struct operand *a, const struct operand *b)
{
    if (code == CODE_OR)
        return integer(is_true(a) || is_true(b));
    if (code == CODE_AND)
        return integer(is_true(a) && is_true(b));
    if (code >= CODE_EQUAL && code <= CODE_BEGINS)
        return integer(compare(code, a, b));
    return calculate(code, a, b);
}

static struct operand negate(const struct operand *a)
{
    return a->kind == OPERAND_REAL      ? real(-a->real)
           : a->kind == OPERAND_INTEGER ? calculate_integers(CODE_SUBTRACT, 0, a->integer)
                                        : missing;
}

/* How many operands a step takes from the stack. */
static size_t operand_count(enum code code)
{
    return code == CODE_CONSTANT || code == CODE_NAME ? 0
           : code == CODE_NOT || code == CODE_NEGATE  ? 1
                                                      : 2;
}

bool expression_holds(const struct expression *expression, expression_lookup *lookup, void *scope)
{
    struct operand stack[STACK_SIZE];
    size_t top = 0;
    for (size_t i = 0; i < expression->count; i++) {
        const struct step *step = &expression->steps[i];
        if (top < operand_count(step->code) || top == STACK_SIZE)
            return false; /* the parser does not write such code */
        if (step->code == CODE_CONSTANT)
            stack[top++] = step->operand;
        else if (step->code == CODE_NAME) {
            stack[top] = missing;
            lookup(scope, step->index, &expression->names[step->index], &stack[top++]);
        } else if (step->code == CODE_NOT)
            stack[top - 1] = integer(!is_true(&stack[top - 1]));
        else if (step->code == CODE_NEGATE)
            stack[top - 1] = negate(&stack[top - 1]);
        else {
            top--;
            stack[top - 1] = apply(step->code, &stack[top - 1], &stack[top]);
        }
    }
    return top == 1 && is_true(&stack[0]);
}
