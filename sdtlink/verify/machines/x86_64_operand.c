/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands as assemblers and argument descriptors spell them: `$5`, `%rdi`, `-8(%rbp)`.
 */
#include "x86_64.h"

#include <stdlib.h>
#include <string.h>

/* "rax", "eax", "ax" and "al" are 0, as in instructions; "r8d" is 8. -1: no general register. */
static int register_number(const char *name, size_t length)
{
    static const char low[][4] = {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"};
    static const char word[][4] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
    bool is_wide = length == 3 && (name[0] == 'r' || name[0] == 'e');
    for (int i = 0; i < 8; i++) {
        if (length == strlen(low[i]) && !memcmp(name, low[i], length))
            return i;
        if (length - is_wide == 2 && !memcmp(name + is_wide, word[i], 2))
            return i;
    }
    if (length < 2 || name[0] != 'r')
        return -1;
    char *end;
    long number = strtol(name + 1, &end, 10);
    end += end == name + length - 1 && strchr("dwb", *end);
    return end == name + length && number >= 8 && number <= 15 ? (int)number : -1;
}

bool x86_64_parse_operand(const char *text, size_t length, struct operand *operand)
{
    const char *limit = text + length;
    char *end;
    *operand = (struct operand){.kind = *text == '$' ? CONSTANT : MEMORY};
    if (length && *text == '%') {
        operand->kind = REGISTER;
        end = (char *)text;
    } else {
        text += *text == '$';
        operand->value = strtoll(text, &end, 0);
        if (operand->kind == CONSTANT)
            return end == limit && end > text;
        if (limit - end < 4 || end[0] != '(' || end[1] != '%' || limit[-1] != ')')
            return false;
        end++;
        limit--;
    }
    int number = register_number(end + 1, (size_t)(limit - end) - 1);
    operand->number = (unsigned)number;
    return number >= 0;
}
