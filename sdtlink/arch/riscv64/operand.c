/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The places of arguments as tracers spell them on riscv64: `a0`, `8(sp)`, `-5`. Registers have the
 * names of the calling convention, as compilers print them.
 */
#include "riscv64.h"

#include <string.h>

enum { ARGUMENT_REGISTERS = 8, FIRST_ARGUMENT = 10, WORD = 8, REGISTERS = 32 };

static const char names[REGISTERS][5] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                         "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                         "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                         "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

static bool is_number(const char *text)
{
    const char *at = text + (*text == '-');
    const char *start = at;
    while (*at >= '0' && *at <= '9')
        at++;
    return at > start && *at == '\0';
}

/* Compilers print registers whole, whatever the size of the argument. */
bool riscv64_is_plain(const char *operand, uint8_t *reg)
{
    *reg = ARCH_NO_REGISTER;
    for (unsigned i = 1; i < REGISTERS; i++)
        if (strcmp(operand, names[i]) == 0)
            *reg = (uint8_t)i;
    if (strcmp(operand, "zero") == 0) /* tracers know no such register */
        return false;
    return *reg != ARCH_NO_REGISTER || is_number(operand);
}

size_t riscv64_put_register(char *to, uint8_t reg)
{
    size_t length = strlen(names[reg]);
    memcpy(to, names[reg], length);
    return length;
}

/* A call pushes nothing: both kinds find the others at the stack pointer, the last at 24(sp). */
size_t riscv64_put_call_place(char *to, unsigned i, bool is_tail)
{
    static const char end[] = "(sp)";
    size_t length = 0;
    (void)is_tail;
    if (i < ARGUMENT_REGISTERS)
        return riscv64_put_register(to, (uint8_t)(FIRST_ARGUMENT + i));
    unsigned offset = (i - ARGUMENT_REGISTERS) * WORD;
    if (offset >= 10)
        to[length++] = (char)('0' + offset / 10);
    to[length++] = (char)('0' + offset % 10);
    memcpy(to + length, end, sizeof end - 1);
    return length + sizeof end - 1;
}
