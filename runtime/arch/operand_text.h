/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the texts of operands have in common on all machines: where one ends, and numbers.
 */
#ifndef SDT_ARCH_OPERAND_TEXT_H
#define SDT_ARCH_OPERAND_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool is_end(char c)
{
    return c == '\0' || c == ' ' || c == '\t';
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline unsigned operand_digit(char c)
{
    if (is_digit(c))
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 99;
}

/* A number as assemblers read it, without its sign. NULL if there is none. */
static inline const char *operand_magnitude(const char *text, uint64_t *value)
{
    unsigned base = 10;
    const char *start = text;
    *value = 0;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        start = text += 2;
    } else if (text[0] == '0') {
        base = 8;
    }
    for (; operand_digit(*text) < base; text++)
        *value = *value * base + operand_digit(*text);
    return text > start ? text : NULL;
}

/* The same with a sign. */
static inline const char *operand_number(const char *text, int64_t *value)
{
    bool is_negative = *text == '-';
    uint64_t magnitude;
    text = operand_magnitude(text + is_negative, &magnitude);
    *value = (int64_t)(is_negative ? -magnitude : magnitude);
    return text;
}

#endif
