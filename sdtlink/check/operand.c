/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parsing operands. Assemblers write them in three styles:
 *
 *   AT&T         %rax  8(%rbp)  (%rax,%rbx,8)  $5  sym(%rip)  %fs:16     x86; s390x without $
 *   brackets     x0  [sp, 16]  [x0, x1]  5  (arm: #5)                    aarch64, arm
 *   parentheses  a0  -24(s0)  5                                          riscv, powerpc
 */
#include "operand.h"

#include <ctype.h>
#include <string.h>

/* What is left to be read. */
struct cursor {
    const char *at, *end;
};

static bool is_at_end(const struct cursor *c)
{
    return c->at >= c->end;
}

static char peek(const struct cursor *c)
{
    return is_at_end(c) ? 0 : *c->at;
}

static bool take(struct cursor *c, char wanted)
{
    if (peek(c) != wanted || wanted == 0)
        return false;
    c->at++;
    return true;
}

static void skip_blanks(struct cursor *c)
{
    while (peek(c) == ' ' || peek(c) == '\t')
        c->at++;
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '@';
}

static bool take_name(struct cursor *c, struct slice *name)
{
    const char *start = c->at;
    while (isalnum((unsigned char)peek(c)) || peek(c) == '_')
        c->at++;
    *name = (struct slice){start, (size_t)(c->at - start)};
    return name->length > 0;
}

static bool take_register(struct cursor *c, struct slice *name)
{
    take(c, '%');
    return take_name(c, name);
}

/* One term: a number or a symbol. */
static bool take_term(struct cursor *c, struct operand *operand)
{
    const char *start = c->at;
    if (isdigit((unsigned char)peek(c))) {
        bool is_hexadecimal = c->end - c->at > 1 && c->at[0] == '0' && tolower(c->at[1]) == 'x';
        while (isalnum((unsigned char)peek(c)))
            c->at++;
        operand->is_hexadecimal = operand->is_hexadecimal || is_hexadecimal;
        for (const char *digit = start; !is_hexadecimal && digit < c->at; digit++)
            if (!isdigit((unsigned char)*digit))
                return false;
        return true;
    }
    while (is_name_character(peek(c)))
        c->at++;
    operand->has_symbol = operand->has_symbol || c->at > start;
    return c->at > start;
}

/* -16, +8, -16+4+4, sym+8. False: nothing, or not all of it was understood. */
static bool take_expression(struct cursor *c, struct operand *operand)
{
    unsigned terms = 0;
    if (peek(c) == '-' || peek(c) == '+')
        c->at++;
    do {
        skip_blanks(c);
        if (!take_term(c, operand))
            return false;
        terms++;
    } while (take(c, '+') || take(c, '-') || take(c, '*'));
    operand->terms = terms;
    return true;
}

/* The inside of the parentheses: base, index, scale; each may be missing. */
static bool take_address(struct cursor *c, struct operand *operand)
{
    struct slice scale;
    take_register(c, &operand->base);
    skip_blanks(c);
    if (take(c, ',')) {
        skip_blanks(c);
        operand->has_index = true;
        if (!take_register(c, &operand->index))
            return false;
        skip_blanks(c);
        if (take(c, ',')) {
            skip_blanks(c);
            if (!take_name(c, &scale))
                return false;
        }
    }
    skip_blanks(c);
    return take(c, ')');
}

static bool parse_memory(struct cursor *c, struct operand *operand)
{
    operand->has_displacement = peek(c) != '(';
    if (operand->has_displacement && !take_expression(c, operand))
        return false;
    if (is_at_end(c)) /* a number or a symbol alone */
        return true;
    operand->kind = OPERAND_MEMORY;
    return take(c, '(') && take_address(c, operand) && is_at_end(c);
}

static void parse_att(struct cursor c, struct operand *operand)
{
    if (take(&c, '$')) {
        operand->kind = OPERAND_CONSTANT;
        if (!take_expression(&c, operand) || !is_at_end(&c))
            operand->kind = OPERAND_UNKNOWN;
        return;
    }
    if (peek(&c) == '%') {
        operand->kind = OPERAND_REGISTER;
        if (!take_register(&c, &operand->base))
            operand->kind = OPERAND_UNKNOWN;
        if (is_at_end(&c))
            return;
        operand->has_segment = take(&c, ':');
        operand->kind = OPERAND_MEMORY;
        if (!operand->has_segment)
            operand->kind = OPERAND_UNKNOWN;
        return;
    }
    operand->kind = OPERAND_CONSTANT; /* s390x; on x86 an address, judged by its caller */
    if (!parse_memory(&c, operand))
        operand->kind = OPERAND_UNKNOWN;
}

static void parse_bracketed(struct cursor c, struct operand *operand)
{
    operand->kind = OPERAND_UNKNOWN;
    skip_blanks(&c);
    if (!take_register(&c, &operand->base))
        return;
    skip_blanks(&c);
    if (take(&c, ',')) {
        skip_blanks(&c);
        bool is_marked = take(&c, '#');
        operand->has_displacement =
            is_marked || peek(&c) == '-' || isdigit((unsigned char)peek(&c));
        operand->has_index = !operand->has_displacement;
        if (peek(&c) == ':') { /* #:lo12:sym */
            operand->has_symbol = true;
            return;
        }
        if (operand->has_index ? !take_register(&c, &operand->index)
                               : !take_expression(&c, operand))
            return;
        skip_blanks(&c);
    }
    if (take(&c, ']') && is_at_end(&c))
        operand->kind = OPERAND_MEMORY;
}

static void parse_brackets(struct cursor c, struct operand *operand)
{
    if (take(&c, '[')) {
        parse_bracketed(c, operand);
        return;
    }
    if (take(&c, '#') || peek(&c) == '-' || isdigit((unsigned char)peek(&c))) {
        operand->kind = OPERAND_CONSTANT;
        if (!take_expression(&c, operand) || !is_at_end(&c))
            operand->kind = OPERAND_UNKNOWN;
        return;
    }
    operand->kind = OPERAND_REGISTER;
    if (!take_register(&c, &operand->base) || !is_at_end(&c))
        operand->kind = OPERAND_UNKNOWN;
}

static void parse_parentheses(struct cursor c, struct operand *operand)
{
    if (isalpha((unsigned char)peek(&c))) {
        struct cursor rest = c;
        if (take_name(&rest, &operand->base) && is_at_end(&rest)) {
            operand->kind = OPERAND_REGISTER;
            return;
        }
        operand->base = (struct slice){0};
    }
    operand->kind = OPERAND_CONSTANT;
    if (!parse_memory(&c, operand))
        operand->kind = OPERAND_UNKNOWN;
}

/* [-]N[f]@; leaves the cursor in front where there is none. */
static void parse_size(struct cursor *c, struct operand *operand)
{
    struct cursor rest = *c;
    bool is_signed = take(&rest, '-');
    unsigned long size = 0;
    const char *digits = rest.at;
    for (; isdigit((unsigned char)peek(&rest)); rest.at++)
        size = size > 1000000 ? size : size * 10 + (unsigned long)(*rest.at - '0');
    if (rest.at == digits)
        return;
    bool is_float = take(&rest, 'f');
    if (!take(&rest, '@'))
        return;
    operand->has_size = true;
    operand->is_signed = is_signed;
    operand->is_float = is_float;
    operand->size = size;
    *c = rest;
}

void operand_parse(struct operand *operand, struct slice argument, enum operand_syntax syntax)
{
    struct cursor c = {argument.text, argument.text + argument.length};
    *operand = (struct operand){0};
    parse_size(&c, operand);
    operand->text = (struct slice){c.at, (size_t)(c.end - c.at)};
    operand->has_at = operand->text.length && memchr(c.at, '@', operand->text.length);
    if (is_at_end(&c))
        return;
    if (syntax == SYNTAX_ATT)
        parse_att(c, operand);
    else if (syntax == SYNTAX_BRACKETS)
        parse_brackets(c, operand);
    else
        parse_parentheses(c, operand);
}
