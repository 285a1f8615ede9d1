/* SPDX-License-Identifier: BSD-2-Clause */
/* See <arch/operand.h>: the syntax of this machine, and what the runtime asks at a hit. */
#include <arch/operand.h>
#include <machine/registers.h>
#include <string.h>

const struct operand_syntax *const operand_syntax = &sdt_x86_64_operands;

uint64_t operand_address(const struct operand *operand, const struct registers *registers)
{
    uint64_t address = (uint64_t)operand->displacement;
    if (operand->base != OPERAND_NO_REGISTER)
        address += registers->general[operand->base];
    if (operand->index != OPERAND_NO_REGISTER)
        address += registers->general[operand->index] * operand->scale;
    return address;
}

const char *operand_next_symbol(const char *text)
{
    const char *at = strstr(text, "(%rip)");
    return at ? at + 1 : NULL;
}
