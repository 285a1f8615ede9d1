/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands as compilers and argument descriptors spell them: `5`, `-5`, `a0`, `8(sp)`.
 */
#include "riscv64.h"

#include <stdlib.h>
#include <string.h>

/* RISC-V ELF psABI, "Register Convention": a letter, and runs of numbers. */
static const struct run {
    char letter;
    int first, last; /* in the name */
    int number;      /* of the register with the first one */
} runs[] = {{'t', 0, 2, 5},   {'s', 0, 1, 8},  {'a', 0, 7, 10},
            {'s', 2, 11, 18}, {'t', 3, 6, 28}, {'x', 0, 31, 0}};

/* -1: no general register. */
static int register_number(const char *name, size_t length)
{
    static const char singles[][5] = {"zero", "ra", "sp", "gp", "tp"};
    char *end;
    for (int i = 0; i < 5; i++)
        if (length == strlen(singles[i]) && memcmp(name, singles[i], length) == 0)
            return i;
    if (length == 2 && memcmp(name, "fp", 2) == 0)
        return 8;
    if (length < 2 || name[1] < '0' || name[1] > '9')
        return -1;
    long number = strtol(name + 1, &end, 10);
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        if (name[0] == runs[i].letter && number >= runs[i].first && number <= runs[i].last)
            return end == name + length ? runs[i].number + (int)number - runs[i].first : -1;
    return -1;
}

bool riscv64_parse_operand(const char *text, size_t length, struct operand *operand)
{
    const char *limit = text + length;
    char *end = (char *)text;
    *operand = (struct operand){.kind = MEMORY};
    if (length == 0)
        return false;
    if (*text == '-' || (*text >= '0' && *text <= '9'))
        operand->value = strtoll(text, &end, 0);
    if (end == limit) {
        operand->kind = CONSTANT;
        return true;
    }
    if (*end == '(' && limit[-1] == ')') {
        end++;
        limit--;
    } else {
        operand->kind = REGISTER;
        if (end != text)
            return false;
    }
    int number = register_number(end, (size_t)(limit - end));
    operand->number = (unsigned)number;
    return number >= 0;
}
