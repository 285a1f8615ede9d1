/* SPDX-License-Identifier: BSD-2-Clause */
/* See <arch/operand.h>: the syntax of this machine, and what the runtime asks at a hit. */
#include <arch/operand.h>
#include <machine/registers.h>
#include <stddef.h>

const struct operand_syntax *const operand_syntax = &sdt_riscv64_operands;

uint64_t operand_address(const struct operand *operand, const struct registers *registers)
{
    return registers->general[operand->base] + (uint64_t)operand->displacement;
}

/* No operand names a variable. */
const char *operand_next_symbol(const char *text)
{
    (void)text;
    return NULL;
}
