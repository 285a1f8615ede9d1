/* SPDX-License-Identifier: BSD-2-Clause */
/* Machines of which little more is known than the names of registers: riscv, s390x, powerpc. */
#include "machines.h"

#include <elf.h>

static enum register_class of_riscv(struct slice name)
{
    bool is_general = is_one_of(name, "ra sp gp tp") || is_numbered(name, "a", 8, "") ||
                      is_numbered(name, "s", 12, "") || is_numbered(name, "t", 7, "");
    return is_general ? REGISTER_GENERAL : REGISTER_UNKNOWN;
}

static enum register_class of_s390x(struct slice name)
{
    return is_numbered(name, "r", 16, "") ? REGISTER_GENERAL : REGISTER_UNKNOWN;
}

const struct machine machine_riscv = {
    .elf = EM_RISCV,
    .name = "riscv",
    .has_operands = true,
    .syntax = SYNTAX_PARENTHESES,
    .register_class = of_riscv,
};

const struct machine machine_s390x = {
    .elf = EM_S390,
    .is_64_only = true,
    .name = "s390x",
    .has_operands = true,
    .syntax = SYNTAX_ATT,
    .register_class = of_s390x,
};

const struct machine machine_powerpc = {
    .elf = EM_PPC64,
    .name = "powerpc",
    .syntax = SYNTAX_ATT,
};
