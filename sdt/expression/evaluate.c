/* SPDX-License-Identifier: BSD-2-Clause */
/* Execute the steps of an expression. */
#include "expression.h"

#include "code.h"

#include <math.h>
#include <shared/wide.h>
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

bool code_is_true(const struct operand *a)
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

/* The first character of *TEXT, which loses it; "__" is '-'. */
static int spelled(struct slice *text)
{
    bool is_hyphen = text->length > 1 && !memcmp(text->text, "__", 2);
    int character = is_hyphen ? '-' : (unsigned char)*text->text;
    text->text += is_hyphen ? 2 : 1;
    text->length -= is_hyphen ? 2 : 1;
    return character;
}

/* As compare_text(); *IS_BEGIN: B is what A begins with. */
static int compare_spelled(struct slice a, struct slice b, bool *is_begin)
{
    int order = 0;
    while (!order && a.length && b.length)
        order = spelled(&a) - spelled(&b);
    *is_begin = !order && !b.length;
    return order ? order : (a.length > 0) - (b.length > 0);
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
    bool is_begin = false;
    if (a->kind == OPERAND_TEXT && b->kind == OPERAND_TEXT && (a->is_spelled || b->is_spelled)) {
        compare_spelled(a->text, b->text, &is_begin);
        return is_begin;
    }
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

/* A time in nanoseconds. */
static struct operand in_nanoseconds(const struct operand *a)
{
    struct operand ns = *a;
    if (a->kind == OPERAND_REAL)
        ns.real *= a->unit;
    else if (wide_multiply(a->integer, (__int128)a->unit, &ns.integer))
        return missing;
    ns.unit = 1;
    return ns;
}

static bool have_two_units(enum code code, const struct operand *a, const struct operand *b)
{
    return is_number(a) && is_number(b) && a->unit && b->unit && a->unit != b->unit &&
           code_needs_unit(code);
}

/* A long double of x86 holds every integer of 64 bits and every double. */
static bool compare_values(enum code code, const struct operand *a, const struct operand *b)
{
    if (have_two_units(code, a, b)) {
        struct operand one = in_nanoseconds(a), other = in_nanoseconds(b);
        return compare_values(code, &one, &other);
    }
    if (code == CODE_BEGINS)
        return begins(a, b);
    if (a->kind == OPERAND_TEXT && b->kind == OPERAND_TEXT) {
        bool is_begin;
        return holds_ordered(code, a->is_spelled || b->is_spelled
                                       ? compare_spelled(a->text, b->text, &is_begin)
                                       : compare_text(a->text, b->text));
    }
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

/* By 0 to 63 bits; to the left, what does not fit is missing. */
static struct operand shift(enum code code, __int128 a, __int128 b)
{
    __int128 result;
    if (b < 0 || b > 63)
        return missing;
    if (code == CODE_RIGHT)
        return integer(a >> b);
    return wide_multiply(a, (__int128)1 << b, &result) ? missing : integer(result);
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
        return wide_multiply(a, b, &result) ? missing : integer(result);
    case CODE_DIVIDE: /* -1: the quotient of the smallest number overflows */
        return b == 0    ? missing
               : b == -1 ? calculate_integers(CODE_SUBTRACT, 0, a)
                         : integer(a / b);
    case CODE_REMAINDER:
        return b == 0 ? missing : integer(b == -1 ? 0 : a % b);
    case CODE_BITS:
        return integer(a & b);
    case CODE_BITS_OR:
        return integer(a | b);
    case CODE_BITS_XOR:
        return integer(a ^ b);
    default:
        return shift(code, a, b);
    }
}

static struct operand calculate_numbers(enum code code, const struct operand *a,
                                        const struct operand *b)
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

static struct operand calculate(enum code code, const struct operand *a, const struct operand *b)
{
    bool has_two = have_two_units(code, a, b);
    struct operand one = has_two ? in_nanoseconds(a) : *a;
    struct operand other = has_two ? in_nanoseconds(b) : *b;
    struct operand result = calculate_numbers(code, &one, &other);
    result.unit = code_unit(code, one.unit, other.unit);
    return result;
}

static struct operand negate(const struct operand *a)
{
    struct operand result = a->kind == OPERAND_REAL ? real(-a->real)
                            : a->kind == OPERAND_INTEGER
                                ? calculate_integers(CODE_SUBTRACT, 0, a->integer)
                                : missing;
    result.unit = a->unit;
    return result;
}

/* Element B of array A. */
static struct operand element(const struct operand *a, const struct operand *b)
{
    size_t size = a->element & OPERAND_BYTES;
    uint64_t bits = 0;
    float narrow;
    double wide;
    if (!size || b->kind != OPERAND_INTEGER || b->integer < 0 ||
        b->integer >= (__int128)(a->elements.length / size))
        return missing;
    memcpy(&bits, a->elements.text + (size_t)b->integer * size, size);
    memcpy(&narrow, &bits, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    unsigned shift = 64 - 8 * (unsigned)size;
    return a->element & OPERAND_FLOAT    ? real(size == 4 ? (double)narrow : wide)
           : a->element & OPERAND_SIGNED ? integer((int64_t)(bits << shift) >> shift)
                                         : integer(bits);
}

/* ---- Functions. ---- */

static struct operand cut_off(const struct operand *a)
{
    const double limit = 0x1p63;
    struct operand result = missing;
    if (a->kind == OPERAND_REAL && a->real >= -limit && a->real < limit)
        result = integer((__int128)a->real);
    if (a->kind == OPERAND_INTEGER)
        result = integer(a->integer);
    result.unit = a->unit;
    return result;
}

static struct operand length(const struct operand *a)
{
    return a->kind == OPERAND_TEXT ? integer((__int128)a->text.length)
           : a->element            ? integer(a->integer)
                                   : missing;
}

static struct operand text_of(const struct operand *a)
{
    return a->kind == OPERAND_TEXT ? *a : missing;
}

static const struct {
    const char *name;
    struct operand (*apply)(const struct operand *a);
} functions[] = {{"int", cut_off}, {"len", length}, {"str", text_of}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* The first B bytes of A. */
static struct operand first_of(const struct operand *a, const struct operand *b)
{
    struct operand text = *a;
    if (a->kind != OPERAND_TEXT || b->kind != OPERAND_INTEGER)
        return missing;
    if (b->integer < (__int128)text.text.length)
        text.text.length = b->integer < 0 ? 0 : (size_t)b->integer;
    return text;
}

struct operand code_call(const char *name, const struct operand *a, const struct operand *b)
{
    if (b)
        return strcmp(name, "str") == 0 ? first_of(a, b) : missing;
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (!strcmp(functions[i].name, name))
            return functions[i].apply(a);
    return missing;
}

bool expression_can_call(const char *name)
{
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (!strcmp(functions[i].name, name))
            return true;
    return false;
}

struct operand code_apply(enum code code, const struct operand *a, const struct operand *b)
{
    switch (code) {
    case CODE_OR:
        return integer(code_is_true(a) || code_is_true(b));
    case CODE_AND:
        return integer(code_is_true(a) && code_is_true(b));
    case CODE_NOT:
        return integer(!code_is_true(a));
    case CODE_NEGATE:
        return negate(a);
    case CODE_COMPLEMENT:
        return a->kind == OPERAND_INTEGER ? integer(~a->integer) : missing;
    case CODE_ELEMENT:
        return element(a, b);
    case CODE_CALL:
    case CODE_CALL_TWO:
        return missing; /* of code_call() */
    default:
        return code >= CODE_EQUAL && code <= CODE_BEGINS ? integer(compare(code, a, b))
                                                         : calculate(code, a, b);
    }
}

static struct operand apply(const struct expression *expression, const struct step *step,
                            const struct operand *operands)
{
    if (step->code != CODE_CALL && step->code != CODE_CALL_TWO)
        return code_apply(step->code, &operands[0], &operands[1]);
    return code_call(expression->names[step->index].name, &operands[0],
                     step->code == CODE_CALL_TWO ? &operands[1] : NULL);
}

struct operand expression_value(const struct expression *expression, expression_lookup *lookup,
                                void *scope)
{
    struct operand stack[STACK_SIZE + 1];
    size_t top = 0;
    for (size_t i = 0; i < expression->count; i++) {
        const struct step *step = &expression->steps[i];
        if (top < code_operands(step->code) || top == STACK_SIZE)
            return missing; /* the parser does not write such code */
        if (step->code == CODE_CONSTANT)
            stack[top++] = step->operand;
        else if (step->code == CODE_NAME) {
            stack[top] = missing;
            lookup(scope, step->index, &expression->names[step->index], &stack[top++]);
        } else {
            top -= code_operands(step->code);
            stack[top] = apply(expression, step, &stack[top]);
            top++;
        }
    }
    return top == 1 ? stack[0] : missing;
}

bool expression_holds(const struct expression *expression, expression_lookup *lookup, void *scope)
{
    struct operand value = expression_value(expression, lookup, scope);
    return code_is_true(&value);
}
