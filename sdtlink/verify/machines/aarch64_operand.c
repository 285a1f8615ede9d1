/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands as compilers and argument descriptors spell them: `5`, `-5`, `x0`, `w0`, `[sp,8]`.
 */
#include "aarch64.h"

#include <stdlib.h>
#include <string.h>

/* "x3" and "w3" are 3, "sp" is 31. -1: no general register. */
static int register_number(const char *name, size_t length)
{
    char *end;
    if (length == 2 && memcmp(name, "sp", 2) == 0)
        return 31;
    if (length < 2 || (name[0] != 'x' && name[0] != 'w') || name[1] < '0' || name[1] > '9')
        return -1;
    long number = strtol(name + 1, &end, 10);
    return end == name + length && number <= 30 ? (int)number : -1;
}

/* `[x29]`, `[x29,-8]`, `[sp, 16]`. */
static bool parse_memory(const char *text, const char *limit, struct operand *operand)
{
    const char *end = memchr(text, ',', (size_t)(limit - text));
    if (limit - text < 2 || limit[-1] != ']')
        return false;
    int number = register_number(text + 1, (size_t)((end ? end : limit - 1) - text - 1));
    operand->kind = MEMORY;
    operand->number = (unsigned)number;
    if (end) {
        char *last;
        operand->value = strtoll(end + 1, &last, 0);
        return number >= 0 && last == limit - 1 && last > end + 1;
    }
    return number >= 0;
}

bool aarch64_parse_operand(const char *text, size_t length, struct operand *operand)
{
    char *end;
    *operand = (struct operand){.kind = CONSTANT};
    if (length == 0)
        return false;
    if (*text == '[')
        return parse_memory(text, text + length, operand);
    if (*text == '-' || (*text >= '0' && *text <= '9')) {
        operand->value = strtoll(text, &end, 0);
        return end == text + length;
    }
    int number = register_number(text, length);
    operand->kind = REGISTER;
    operand->number = (unsigned)number;
    return number >= 0;
}
