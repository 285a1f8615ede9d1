/* SPDX-License-Identifier: BSD-2-Clause */
/* See value.h: calculations, comparisons and conditions. */
#include "value.h"

#include <math.h>

/* ---- Operators. ---- */

static enum live_code calculation(enum code code)
{
    switch (code) {
    case CODE_ADD:
        return LIVE_ADD;
    case CODE_SUBTRACT:
        return LIVE_SUBTRACT;
    case CODE_MULTIPLY:
        return LIVE_MULTIPLY;
    case CODE_DIVIDE:
        return LIVE_DIVIDE;
    case CODE_REMAINDER:
        return LIVE_REMAINDER;
    case CODE_BITS:
        return LIVE_AND;
    case CODE_BITS_OR:
        return LIVE_OR;
    case CODE_BITS_XOR:
        return LIVE_XOR;
    case CODE_LEFT:
        return LIVE_LEFT;
    default:
        return LIVE_RIGHT;
    }
}

static bool commutes(enum code code)
{
    return code == CODE_ADD || code == CODE_MULTIPLY || code == CODE_BITS || code == CODE_BITS_OR ||
           code == CODE_BITS_XOR || code == CODE_OR || code == CODE_AND;
}

/* What the result of a calculation is: as live_program_check() has it. */
static enum live_type result_type(enum live_code code, enum live_type a, enum live_type b)
{
    if (code == LIVE_LEFT || code == LIVE_RIGHT)
        return a;
    if (code == LIVE_SUBTRACT)
        return LIVE_SIGNED;
    if (code == LIVE_AND)
        return a == LIVE_SIGNED && b == LIVE_SIGNED ? LIVE_SIGNED : LIVE_UNSIGNED;
    return a == LIVE_UNSIGNED && b == LIVE_UNSIGNED ? LIVE_UNSIGNED : LIVE_SIGNED;
}

/* ---- Units of time. ---- */

/* A, a time, in nanoseconds. */
static struct value in_nanoseconds(struct compiler *compiler, struct value *a)
{
    struct term unit = {.kind = TERM_INTEGER, .integer = unit_of(a)};
    struct term ns = {.kind = TERM_INTEGER, .integer = 1, .unit = 1};
    struct value factor = value_known(unit), made;
    if (is_known(a)) {
        a->known.unit = 0;
        made = value_known(code_apply(CODE_MULTIPLY, &a->known, &unit));
        made.known = code_apply(CODE_MULTIPLY, &made.known, &ns);
        return made;
    }
    if (a->type == LIVE_REAL)
        factor = value_real(compiler, &factor);
    made = value_step(compiler, LIVE_MULTIPLY, a->type, a, &factor);
    made.unit = 1;
    return made;
}

/* Nanoseconds that are known, in the UNIT of what they meet, if they are a multiple of it. */
static bool take_unit(struct value *a, uint32_t unit)
{
    if (!is_known_integer(a) || a->known.unit != 1 || a->known.integer % unit)
        return false;
    a->known.integer /= unit;
    a->known.unit = unit;
    return true;
}

/* Two times are compared, added and divided in one unit. */
static void match_units(struct compiler *compiler, enum code code, struct value *a, struct value *b)
{
    uint32_t one = unit_of(a), other = unit_of(b);
    if (!one || !other || one == other || !code_needs_unit(code) || take_unit(a, other) ||
        take_unit(b, one))
        return;
    *a = one == 1 ? *a : in_nanoseconds(compiler, a);
    *b = other == 1 ? *b : in_nanoseconds(compiler, b);
}

static struct value compile_calculation(struct compiler *compiler, enum code code, struct value *a,
                                        struct value *b)
{
    if (is_known(a) && commutes(code))
        value_swap(a, b);
    if (is_real(a) || is_real(b)) {
        /* With doubles; integers become such. */
        enum live_code step_code = calculation(code);
        if (step_code > LIVE_DIVIDE)
            return compile_fail(compiler, "this needs integers: int(x) makes one");
        *a = value_real(compiler, a);
        *b = value_real(compiler, b);
        return value_step(compiler, step_code, LIVE_REAL, a, b);
    }
    *a = value_materialise(compiler, a);
    if (!is_integer(a) || (!is_integer(b) && !is_known_integer(b)))
        return compile_fail(compiler, "this calculates with something that is not a number");
    enum live_type second = !is_known(b)                                ? b->type
                            : value_fits(b->known.integer, a->type)     ? a->type
                            : value_fits(b->known.integer, LIVE_SIGNED) ? LIVE_SIGNED
                                                                        : LIVE_UNSIGNED;
    enum live_code step_code = calculation(code);
    return value_step(compiler, step_code, result_type(step_code, a->type, second), a, b);
}

/* ---- Comparisons. ---- */

static enum code mirrored(enum code code)
{
    return code == CODE_LESS         ? CODE_MORE
           : code == CODE_LESS_EQUAL ? CODE_MORE_EQUAL
           : code == CODE_MORE       ? CODE_LESS
           : code == CODE_MORE_EQUAL ? CODE_LESS_EQUAL
                                     : code;
}

/* An integer and a number that is not whole: as the whole numbers beside it. */
static bool make_whole(enum code *code, struct value *b)
{
    double real = b->known.real, below = floor(real);
    if (!(fabs(real) < 0x1p63))
        return false;
    if (below != real) {
        if (*code == CODE_EQUAL || *code == CODE_UNEQUAL)
            return false;
        *code = *code == CODE_LESS || *code == CODE_LESS_EQUAL ? CODE_LESS_EQUAL : CODE_MORE;
    }
    b->known = (struct term){.kind = TERM_INTEGER, .integer = (__int128)below};
    return true;
}

/* A double and an integer: as a double, if that is the same number. Else both are compared as they
 * are, which is exact. */
static void make_real(struct value *b)
{
    double real = (double)b->known.integer;
    if ((__int128)real == b->known.integer)
        b->known = (struct term){.kind = TERM_REAL, .real = real};
}

/* TEXT as probes are called in C: "__" for "-". */
static struct slice spelled(struct compiler *compiler, struct slice text)
{
    struct bytes to = {0};
    for (size_t i = 0; i < text.length; i++)
        bytes_append(&to, text.text[i] == '-' ? "__" : &text.text[i], text.text[i] == '-' ? 2 : 1);
    struct slice kept = {arena_keep(&compiler->arena, to.data, to.size), to.size};
    bytes_free(&to);
    return kept;
}

static struct value compile_comparison(struct compiler *compiler, enum code code, struct value *a,
                                       struct value *b)
{
    bool is_text_a = a->type == LIVE_STRING;
    if (is_known(a) && code != CODE_BEGINS) {
        value_swap(a, b);
        code = mirrored(code);
        is_text_a = a->type == LIVE_STRING;
    }
    if (!is_known(a) && a->look.label_count && is_known(b) && b->known.kind == TERM_TEXT)
        return compile_labels(compiler, code, a, b);
    if (a->is_name && is_known(b) && b->known.kind == TERM_TEXT)
        b->known.text = spelled(compiler, b->known.text);
    bool is_text_b = b->type == LIVE_STRING || (is_known(b) && b->known.kind == TERM_TEXT);
    if (is_known(b) && b->known.kind == TERM_MISSING)
        return compile_fail(compiler, "this compares with something that has no value");
    if (is_text_a != is_text_b || (code == CODE_BEGINS && !is_text_a))
        return compile_fail(compiler, code == CODE_BEGINS
                                          ? "^= takes two texts, the first from the hit"
                                          : "this compares a text with a number");
    if (is_integer(a) && is_known(b) && b->known.kind == TERM_REAL && !make_whole(&code, b))
        return compile_fail(compiler, "an integer is never this number");
    if (a->type == LIVE_REAL && is_known_integer(b))
        make_real(b);
    if (is_known_integer(b) && !value_fits(b->known.integer, LIVE_SIGNED) &&
        !value_fits(b->known.integer, LIVE_UNSIGNED))
        return compile_fail(compiler, "this does not fit 64 bits");
    if (is_integer(a) && b->type == LIVE_REAL) { /* the REAL is first */
        value_swap(a, b);
        code = mirrored(code);
    }
    return value_step(compiler, (enum live_code)(LIVE_EQUAL + (code - CODE_EQUAL)), LIVE_UNSIGNED,
                      a, b);
}
_Static_assert(LIVE_BEGINS - LIVE_EQUAL == CODE_BEGINS - CODE_EQUAL &&
                   LIVE_MORE - LIVE_EQUAL == CODE_MORE - CODE_EQUAL &&
                   LIVE_LESS_EQUAL - LIVE_EQUAL == CODE_LESS_EQUAL - CODE_EQUAL,
               "the same order");

/* ---- Conditions. ---- */

struct value compile_condition(struct compiler *compiler, struct value *a)
{
    if (is_known(a))
        return value_known((struct term){.kind = TERM_INTEGER, .integer = code_is_true(&a->known)});
    return is_integer(a) ? *a : value_step(compiler, LIVE_TRUTH, LIVE_UNSIGNED, a, NULL);
}

/* ---- Steps. ---- */

struct value compile_one(struct compiler *compiler, enum code code, struct value *a)
{
    if (is_known(a))
        return value_known(code_apply(code, &a->known, &a->known));
    if (code == CODE_NOT) {
        struct value value = compile_condition(compiler, a);
        return value_step(compiler, LIVE_NOT, LIVE_UNSIGNED, &value, NULL);
    }
    bool is_negation = code == CODE_NEGATE;
    uint32_t unit = is_negation ? a->unit : 0;
    if (!is_integer(a) && !(is_negation && a->type == LIVE_REAL))
        return compile_fail(compiler, "this needs an integer");
    struct value made = value_step(compiler, is_negation ? LIVE_NEGATE : LIVE_COMPLEMENT,
                                   is_integer(a) ? LIVE_SIGNED : LIVE_REAL, a, NULL);
    made.unit = unit;
    return made;
}

struct value compile_two(struct compiler *compiler, enum code code, struct value *a,
                         struct value *b)
{
    if (is_known(a) && is_known(b))
        return value_known(code_apply(code, &a->known, &b->known));
    if (code == CODE_ELEMENT)
        return compile_element(compiler, a, b);
    if (code == CODE_OR || code == CODE_AND) {
        *a = compile_condition(compiler, a);
        *b = compile_condition(compiler, b);
        if (is_known(a))
            value_swap(a, b);
        return value_step(compiler, code == CODE_AND ? LIVE_BOTH : LIVE_EITHER, LIVE_UNSIGNED, a,
                          b);
    }
    match_units(compiler, code, a, b);
    uint32_t unit = code_unit(code, unit_of(a), unit_of(b));
    struct value made = code >= CODE_EQUAL && code <= CODE_BEGINS
                            ? compile_comparison(compiler, code, a, b)
                            : compile_calculation(compiler, code, a, b);
    made.unit = unit;
    return made;
}
