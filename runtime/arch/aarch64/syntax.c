/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands as compilers and people write them into notes:
 *
 *     x0 w0 sp xzr wzr        general registers; the size before the @ says how much of it
 *     5 -5 #5 0x10            constants
 *     [x0] [sp,8] [x29,-16]   memory at a constant distance from a register
 *
 * Not: vector registers, index registers, [x0, #:lo12:name]. Their values are not available. A
 * blank ends an operand: of `[sp, 8]`, as compilers spell it, the tool takes the blank away.
 */
#include <arch/operand.h>
#include <arch/operand_text.h>
#include <stddef.h>
#include <string.h>

enum { SP = 31 };

/* The register at TEXT; returns what follows, NULL if it is none that can be read. */
static const char *parse_register(const char *text, uint8_t *number)
{
    unsigned value = 0;
    const char *at = text + 1;
    if (strncmp(text, "sp", 2) == 0) {
        *number = SP;
        return text + 2;
    }
    if ((*text != 'x' && *text != 'w') || !is_digit(*at))
        return NULL;
    for (; is_digit(*at) && value < SP; at++)
        value = value * 10 + (unsigned)(*at - '0');
    *number = (uint8_t)value;
    return value < SP && (text[1] != '0' || at == text + 2) ? at : NULL;
}

static void parse_memory(const char *text, struct operand *operand)
{
    const char *at = parse_register(text + 1, &operand->base);
    if (at && *at == ',')
        at = operand_number(at + 1 + (at[1] == '#'), &operand->displacement);
    if (at && *at == ']' && is_end(at[1]))
        operand->kind = OPERAND_MEMORY;
}

static void parse(const char *text, struct operand *operand)
{
    *operand = (struct operand){
        .kind = OPERAND_UNKNOWN, .base = OPERAND_NO_REGISTER, .index = OPERAND_NO_REGISTER};
    if (*text == '[') {
        parse_memory(text, operand);
        return;
    }
    bool is_zero = (*text == 'x' || *text == 'w') && strncmp(text + 1, "zr", 2) == 0;
    const char *end = is_zero ? text + 3 : parse_register(text, &operand->base);
    operand->kind = is_zero ? OPERAND_CONSTANT : OPERAND_REGISTER;
    if (!end) {
        operand->kind = OPERAND_CONSTANT;
        end = operand_number(text + (*text == '#'), &operand->displacement);
    }
    if (!end || !is_end(*end))
        operand->kind = OPERAND_UNKNOWN;
}

static char size_of(const char *operand, size_t length)
{
    return length && operand[0] == 'w' ? '4' : '8';
}

const struct operand_syntax sdt_aarch64_operands = {.parse = parse, .size = size_of};
