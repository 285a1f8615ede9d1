/* SPDX-License-Identifier: BSD-2-Clause */
/* See value.h. */
#include "value.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct value compile_fail(struct compiler *compiler, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!compiler->has_failed) {
        struct compile_error *error = compiler->error;
        error->text = compiler->text;
        error->offset = compiler->offset;
        vsnprintf(error->problem, sizeof error->problem, format, arguments);
    }
    va_end(arguments);
    compiler->has_failed = true;
    return (struct value){.known = {.kind = TERM_MISSING}};
}

struct value value_in_register(struct compiler *compiler, enum live_type type)
{
    return (struct value){.type = type, .number = assemble_register(&compiler->assembly)};
}

void value_let_go(struct compiler *compiler, const struct value *value)
{
    if (!is_known(value))
        assemble_free(&compiler->assembly, value->number);
}

/* ---- What is known, as a number of the pool or in a register. ---- */

bool value_fits(__int128 number, enum live_type type)
{
    return type == LIVE_SIGNED ? number >= INT64_MIN && number <= INT64_MAX
                               : number >= 0 && number <= (__int128)UINT64_MAX;
}

static uint64_t bits_of(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

struct value value_materialise(struct compiler *compiler, const struct value *value)
{
    struct term operand = value->known;
    enum live_type type = operand.kind == TERM_REAL                  ? LIVE_REAL
                          : value_fits(operand.integer, LIVE_SIGNED) ? LIVE_SIGNED
                                                                     : LIVE_UNSIGNED;
    if (!is_known(value))
        return *value;
    if (operand.kind == TERM_MISSING)
        return compile_fail(compiler, "this has no value");
    if (operand.kind == TERM_TEXT)
        return compile_fail(compiler, "a constant text can only be used in comparisons");
    if (operand.kind == TERM_INTEGER && !value_fits(operand.integer, type))
        return compile_fail(compiler, "this does not fit 64 bits");
    struct value made = value_in_register(compiler, type);
    uint64_t number = type == LIVE_REAL ? bits_of(operand.real) : (uint64_t)operand.integer;
    assemble_step(&compiler->assembly, LIVE_NUMBER, made.number, (uint8_t)type,
                  assemble_number(&compiler->assembly, number));
    return made;
}

/* VALUE as operand b beside an A of a register: a number of the pool if it is of A's type. */
static uint8_t operand_b(struct compiler *compiler, const struct value *a, struct value *b)
{
    if (is_known(b) && b->known.kind == TERM_TEXT && a->type == LIVE_STRING)
        return assemble_text(&compiler->assembly, b->known.text);
    if (is_known_integer(b) && is_integer(a) && value_fits(b->known.integer, a->type))
        return assemble_number(&compiler->assembly, (uint64_t)b->known.integer);
    if (is_known(b) && b->known.kind == TERM_REAL && a->type == LIVE_REAL)
        return assemble_number(&compiler->assembly, bits_of(b->known.real));
    *b = value_materialise(compiler, b);
    return b->number;
}

/* A step with operands A and B. */
struct value value_step(struct compiler *compiler, enum live_code code, enum live_type type,
                        struct value *a, struct value *b)
{
    *a = value_materialise(compiler, a);
    uint8_t second = b ? operand_b(compiler, a, b) : 0;
    value_let_go(compiler, a);
    if (b)
        value_let_go(compiler, b);
    struct value made = value_in_register(compiler, type);
    assemble_step(&compiler->assembly, code, made.number, a->number, second);
    return made;
}

/* A step with VALUE and NUMBER, both unsigned. */
static struct value with_number(struct compiler *compiler, enum live_code code, enum live_type type,
                                struct value *value, uint64_t number)
{
    struct value other = value_known((struct term){.kind = TERM_INTEGER, .integer = number});
    return value_step(compiler, code, type, value, &other);
}

struct value value_extend(struct compiler *compiler, struct value *value, unsigned bits,
                          bool is_signed)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    struct value made = with_number(compiler, LIVE_AND, LIVE_UNSIGNED, value, 2 * sign - 1);
    if (!is_signed)
        return made;
    made = with_number(compiler, LIVE_XOR, LIVE_UNSIGNED, &made, sign);
    return with_number(compiler, LIVE_SUBTRACT, LIVE_SIGNED, &made, sign);
}

struct value value_real(struct compiler *compiler, struct value *a)
{
    if (is_known_integer(a)) /* through a long double, as in shared/operators.c */
        return value_known(
            (struct term){.kind = TERM_REAL, .real = (double)(long double)a->known.integer});
    if (is_real(a))
        return *a;
    if (!is_integer(a))
        return compile_fail(compiler, "this calculates with something that is not a number");
    return value_step(compiler, LIVE_TO_REAL, LIVE_REAL, a, NULL);
}

struct value value_cut(struct compiler *compiler, struct value *a)
{
    uint8_t one = assemble_number(&compiler->assembly, 1);
    value_let_go(compiler, a);
    struct value made = value_in_register(compiler, LIVE_SIGNED);
    assemble_step(&compiler->assembly, LIVE_SCALE, made.number, a->number, one);
    made.unit = a->unit;
    return made;
}

void value_swap(struct value *a, struct value *b)
{
    struct value other = *a;
    *a = *b;
    *b = other;
}
