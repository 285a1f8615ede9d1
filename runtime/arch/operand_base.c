/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See <arch/operand.h>: what the runtime asks at a hit, where an operand in memory is a register
 * and a displacement. None names a variable.
 */
#include <arch/operand.h>
#include <machine/registers.h>
#include <stddef.h>

uint64_t operand_address(const struct operand *operand, const struct registers *registers)
{
    return registers->general[operand->base] + (uint64_t)operand->displacement;
}

const char *operand_next_symbol(const char *text)
{
    (void)text;
    return NULL;
}
