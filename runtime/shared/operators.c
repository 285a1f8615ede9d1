/* SPDX-License-Identifier: BSD-2-Clause */
/* See operators.h. What libgcc would have to do is done by wide.h. */
#include "operators.h"

#include "wide.h"

#include <math.h>

/* clang-format off */
const struct code_mark code_marks[] = {
    {"-", LEVEL_SIGN, CODE_NEGATE},
    {"~", LEVEL_SIGN, CODE_COMPLEMENT},
    {"*", LEVEL_PRODUCT, CODE_MULTIPLY},
    {"/", LEVEL_PRODUCT, CODE_DIVIDE},
    {"%", LEVEL_PRODUCT, CODE_REMAINDER},
    {"&", LEVEL_PRODUCT, CODE_BITS},
    {"<<", LEVEL_PRODUCT, CODE_LEFT},
    {">>", LEVEL_PRODUCT, CODE_RIGHT},
    {"+", LEVEL_SUM, CODE_ADD},
    {"-", LEVEL_SUM, CODE_SUBTRACT},
    {"|", LEVEL_SUM, CODE_BITS_OR},
    {"^", LEVEL_SUM, CODE_BITS_XOR},
    {"==", LEVEL_RELATION, CODE_EQUAL},
    {"!=", LEVEL_RELATION, CODE_UNEQUAL},
    {"<", LEVEL_RELATION, CODE_LESS},
    {"<=", LEVEL_RELATION, CODE_LESS_EQUAL},
    {">", LEVEL_RELATION, CODE_MORE},
    {">=", LEVEL_RELATION, CODE_MORE_EQUAL},
    {"^=", LEVEL_RELATION, CODE_BEGINS},
    {"!", LEVEL_NOT, CODE_NOT},
    {"&&", LEVEL_AND, CODE_AND},
    {"||", LEVEL_OR, CODE_OR},
    {"", 0, 0},
};

const struct code_name code_names[FUNCTIONS] = {
    [FUNCTION_STR] = {"str", 2},
    [FUNCTION_LEN] = {"len", 1},
    [FUNCTION_INT] = {"int", 1},
};
/* clang-format on */

static const struct term missing = {.kind = TERM_MISSING};

static struct term integer(__int128 value)
{
    return (struct term){.kind = TERM_INTEGER, .integer = value};
}

static struct term real(double value)
{
    return (struct term){.kind = TERM_REAL, .real = value};
}

static bool is_number(const struct term *a)
{
    return a->kind == TERM_INTEGER || a->kind == TERM_REAL;
}

static long double as_real(const struct term *a)
{
    return a->kind == TERM_INTEGER ? wide_real(a->integer) : (long double)a->real;
}

bool code_is_true(const struct term *a)
{
    switch (a->kind) {
    case TERM_INTEGER:
        return a->integer != 0;
    case TERM_REAL:
        return a->real != 0 && !isnan(a->real);
    case TERM_TEXT:
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

static bool begins(const struct term *a, const struct term *b)
{
    bool is_begin = false;
    if (a->kind == TERM_TEXT && b->kind == TERM_TEXT && (a->is_spelled || b->is_spelled)) {
        compare_spelled(a->text, b->text, &is_begin);
        return is_begin;
    }
    return a->kind == TERM_TEXT && b->kind == TERM_TEXT && a->text.length >= b->text.length &&
           (!b->text.length || !memcmp(a->text.text, b->text.text, b->text.length));
}

/* An enumerator is compared with text by its name. */
static struct term named(const struct term *a, const struct term *other)
{
    if (a->has_label && other->kind == TERM_TEXT)
        return (struct term){.kind = TERM_TEXT, .text = a->label};
    return *a;
}

/* A time in nanoseconds. */
static struct term in_nanoseconds(const struct term *a)
{
    struct term ns = *a;
    if (a->kind == TERM_REAL)
        ns.real *= a->unit;
    else if (wide_multiply(a->integer, (__int128)a->unit, &ns.integer))
        return missing;
    ns.unit = 1;
    return ns;
}

static bool have_two_units(enum code code, const struct term *a, const struct term *b)
{
    return is_number(a) && is_number(b) && a->unit && b->unit && a->unit != b->unit &&
           code_needs_unit(code);
}

/* A long double of x86 holds every integer of 64 bits and every double. */
static bool compare_values(enum code code, const struct term *a, const struct term *b)
{
    if (have_two_units(code, a, b)) {
        struct term one = in_nanoseconds(a), other = in_nanoseconds(b);
        return compare_values(code, &one, &other);
    }
    if (code == CODE_BEGINS)
        return begins(a, b);
    if (a->kind == TERM_TEXT && b->kind == TERM_TEXT) {
        bool is_begin;
        return holds_ordered(code, a->is_spelled || b->is_spelled
                                       ? compare_spelled(a->text, b->text, &is_begin)
                                       : compare_text(a->text, b->text));
    }
    if (!is_number(a) || !is_number(b))
        return false;
    if (a->kind == TERM_INTEGER && b->kind == TERM_INTEGER)
        return holds_ordered(code, (a->integer > b->integer) - (a->integer < b->integer));
    long double one = as_real(a), other = as_real(b);
    if (isnan(one) || isnan(other))
        return code == CODE_UNEQUAL; /* what has no order is that, and nothing else */
    return holds_ordered(code, (one > other) - (one < other));
}

static bool compare(enum code code, const struct term *a, const struct term *b)
{
    struct term one = named(a, b), other = named(b, a);
    return compare_values(code, &one, &other);
}

/* By 0 to 63 bits; to the left, what does not fit is missing. */
static struct term shift(enum code code, __int128 a, __int128 b)
{
    __int128 result;
    if (b < 0 || b > 63)
        return missing;
    if (code == CODE_RIGHT)
        return integer(a >> b);
    return wide_multiply(a, (__int128)1 << b, &result) ? missing : integer(result);
}

static struct term calculate_integers(enum code code, __int128 a, __int128 b)
{
    __int128 result, rest;
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
                         : integer(wide_divide(a, b, &rest));
    case CODE_REMAINDER:
        if (b != 0)
            wide_divide(a, b, &rest);
        return b == 0 ? missing : integer(rest);
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

static struct term calculate_numbers(enum code code, const struct term *a, const struct term *b)
{
    if (!is_number(a) || !is_number(b))
        return missing;
    if (a->kind == TERM_INTEGER && b->kind == TERM_INTEGER)
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

static struct term calculate(enum code code, const struct term *a, const struct term *b)
{
    bool has_two = have_two_units(code, a, b);
    struct term one = has_two ? in_nanoseconds(a) : *a;
    struct term other = has_two ? in_nanoseconds(b) : *b;
    struct term result = calculate_numbers(code, &one, &other);
    result.unit = code_unit(code, one.unit, other.unit);
    return result;
}

static struct term negate(const struct term *a)
{
    struct term result = a->kind == TERM_REAL ? real(-a->real)
                         : a->kind == TERM_INTEGER
                             ? calculate_integers(CODE_SUBTRACT, 0, a->integer)
                             : missing;
    result.unit = a->unit;
    return result;
}

/* Element B of array A. */
static struct term element(const struct term *a, const struct term *b)
{
    size_t size = a->element & TERM_BYTES;
    uint64_t bits = 0;
    float narrow;
    double wide;
    if (!size || b->kind != TERM_INTEGER || b->integer < 0 ||
        b->integer >= (__int128)(a->elements.length / size))
        return missing;
    memcpy(&bits, a->elements.text + (size_t)b->integer * size, size);
    memcpy(&narrow, &bits, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    unsigned shift = 64 - 8 * (unsigned)size;
    return a->element & TERM_FLOAT    ? real(size == 4 ? (double)narrow : wide)
           : a->element & TERM_SIGNED ? integer((int64_t)(bits << shift) >> shift)
                                      : integer(bits);
}

/* ---- Functions. ---- */

static struct term cut_off(const struct term *a)
{
    const double limit = 0x1p63;
    struct term result = missing;
    if (a->kind == TERM_REAL && a->real >= -limit && a->real < limit)
        result = integer((int64_t)a->real);
    if (a->kind == TERM_INTEGER)
        result = integer(a->integer);
    result.unit = a->unit;
    return result;
}

/* The first B bytes of A. */
static struct term first_of(const struct term *a, const struct term *b)
{
    struct term text = *a;
    if (a->kind != TERM_TEXT || b->kind != TERM_INTEGER)
        return missing;
    if (b->integer < (__int128)text.text.length)
        text.text.length = b->integer < 0 ? 0 : (size_t)b->integer;
    return text;
}

enum function code_function(struct slice name)
{
    unsigned i = 0;
    while (i < FUNCTIONS && !slice_is(name, code_names[i].name))
        i++;
    return (enum function)i;
}

struct term code_call(enum function function, const struct term *a, const struct term *b)
{
    if (b)
        return function == FUNCTION_STR ? first_of(a, b) : missing;
    switch (function) {
    case FUNCTION_INT:
        return cut_off(a);
    case FUNCTION_LEN:
        return a->kind == TERM_TEXT ? integer((__int128)a->text.length)
               : a->element         ? integer(a->integer)
                                    : missing;
    case FUNCTION_STR:
        return a->kind == TERM_TEXT ? *a : missing;
    default:
        return missing;
    }
}

struct term code_apply(enum code code, const struct term *a, const struct term *b)
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
        return a->kind == TERM_INTEGER ? integer(~a->integer) : missing;
    case CODE_ELEMENT:
        return element(a, b);
    case CODE_MEMBER: /* types are known to the tool only, and while the process runs */
    case CODE_CALL:
    case CODE_CALL_TWO:
        return missing; /* of code_call() */
    default:
        return code >= CODE_EQUAL && code <= CODE_BEGINS ? integer(compare(code, a, b))
                                                         : calculate(code, a, b);
    }
}
