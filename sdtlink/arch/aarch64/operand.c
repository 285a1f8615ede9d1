/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The places of arguments as tracers spell them on aarch64: `x0`, `[sp,8]`, `-5`. gdb, libbpf and
 * bpftrace allow blanks after the comma, perf and our descriptors do not need one.
 */
#include "aarch64.h"

#include <string.h>

enum { ARGUMENT_REGISTERS = 8, WORD = 8, LAST_REGISTER = 30 };

/* A number in base 10, below LIMIT if that is not 0. Returns what follows, or NULL. */
static const char *skip_number(const char *text, unsigned limit, unsigned *value)
{
    const char *at = text;
    *value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        *value = *value * 10 + (unsigned)(*at - '0');
        if (limit && *value >= limit)
            return NULL;
    }
    return at > text ? at : NULL;
}

/* Compilers print registers whole, whatever the size of the argument. */
bool aarch64_is_plain(const char *operand, uint8_t *reg)
{
    unsigned value;
    *reg = ARCH_NO_REGISTER;
    if (operand[0] != 'x') {
        const char *end = skip_number(operand + (operand[0] == '-'), 0, &value);
        return end && *end == '\0';
    }
    const char *end = skip_number(operand + 1, LAST_REGISTER + 1, &value);
    if (!end || *end || (operand[1] == '0' && operand[2]))
        return false;
    *reg = (uint8_t)value;
    return true;
}

/* Below 1000. */
static size_t put_number(char *to, unsigned value)
{
    char digits[3];
    size_t count = 0, length = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    while (count > 0)
        to[length++] = digits[--count];
    return length;
}

size_t aarch64_put_register(char *to, uint8_t reg)
{
    *to = 'x';
    return 1 + put_number(to + 1, reg);
}

/* A call pushes nothing: both kinds find the others at the stack pointer. */
size_t aarch64_put_call_place(char *to, unsigned i, bool is_tail)
{
    static const char start[] = "[sp,";
    size_t length = sizeof start - 1;
    (void)is_tail;
    if (i < ARGUMENT_REGISTERS)
        return aarch64_put_register(to, (uint8_t)i);
    memcpy(to, start, length);
    length += put_number(to + length, (i - ARGUMENT_REGISTERS) * WORD);
    to[length++] = ']';
    return length;
}
