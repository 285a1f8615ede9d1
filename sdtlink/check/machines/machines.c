/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The list of machines, by the number in the ELF header. A machine that is not listed is no error:
 * its notes are checked for everything that needs no knowledge of operands and instructions.
 */
#include "machines.h"

static const struct machine *const machines[] = {
    &machine_aarch64, &machine_arm,   &machine_i386,   &machine_powerpc,
    &machine_riscv,   &machine_s390x, &machine_x86_64,
};

const struct machine *machine_find(unsigned elf_machine, bool is_64)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (machines[i]->elf == elf_machine && (is_64 || !machines[i]->is_64_only))
            return machines[i];
    return NULL;
}
