/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands as compilers and people write them into notes:
 *
 *     a0 s11 sp fp x5 zero    general registers; the size before the @ says how much of it
 *     5 -5 0x10               constants
 *     8(sp) -16(s0) (a0)      memory at a constant distance from a register
 *     fa0 ft11 f10            registers of floating point, from assembly: compilers write general
 * ones
 *
 * Not: names of variables. Their value is not available.
 */
#include <arch/operand.h>
#include <arch/operand_text.h>
#include <stddef.h>
#include <string.h>

enum { REGISTERS = 32, FRAME = 8 };

static const char names[REGISTERS][5] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                         "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                         "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                         "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
static const char float_names[REGISTERS][5] = {
    "ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

/* How long the name at TEXT is. */
static size_t name_length(const char *text)
{
    size_t length = 0;
    while ((text[length] >= 'a' && text[length] <= 'z') || is_digit(text[length]))
        length++;
    return length;
}

static bool is_name(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

/* The register at TEXT that is one of NAMES, or LETTER and its number; returns what follows, NULL
 * if it is none of them. */
static const char *find_register(const char *text, const char (*all)[5], char letter,
                                 uint8_t *number)
{
    size_t length = name_length(text);
    for (unsigned i = 0; i < REGISTERS; i++) {
        const char digits[] = {letter, (char)('0' + i / 10), (char)('0' + i % 10), '\0'};
        const char digit[] = {letter, (char)('0' + i), '\0'};
        *number = (uint8_t)i;
        if (is_name(text, length, all[i]) || is_name(text, length, i < 10 ? digit : digits))
            return text + length;
    }
    return NULL;
}

/* The same of a general one. */
static const char *parse_register(const char *text, uint8_t *number)
{
    size_t length = name_length(text);
    const char *at = find_register(text, names, 'x', number);
    if (at)
        return at;
    *number = FRAME;
    return is_name(text, length, "fp") ? text + length : NULL;
}

static void parse(const char *text, struct operand *operand)
{
    *operand = (struct operand){
        .kind = OPERAND_UNKNOWN, .base = OPERAND_NO_REGISTER, .index = OPERAND_NO_REGISTER};
    const char *at = parse_register(text, &operand->base);
    if (at) {
        operand->kind = is_end(*at) ? OPERAND_REGISTER : OPERAND_UNKNOWN;
        return;
    }
    at = find_register(text, float_names, 'f', &operand->base);
    if (at) {
        operand->kind = is_end(*at) ? OPERAND_VECTOR : OPERAND_UNKNOWN;
        return;
    }
    at = operand_number(text, &operand->displacement);
    if (at && is_end(*at))
        operand->kind = OPERAND_CONSTANT;
    if (!at && *text == '(')
        at = text;
    if (!at || *at != '(')
        return;
    at = parse_register(at + 1, &operand->base);
    if (at && *at == ')' && is_end(at[1]))
        operand->kind = OPERAND_MEMORY;
}

/* Names of registers say nothing of a size. */
static char size_of(const char *operand, size_t length)
{
    (void)operand;
    (void)length;
    return '8';
}

const struct operand_syntax sdt_riscv64_operands = {.parse = parse, .size = size_of};
