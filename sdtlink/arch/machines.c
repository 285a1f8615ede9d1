/* SPDX-License-Identifier: BSD-2-Clause */
/* See machines.h. */
#include "machines.h"

#include "aarch64/aarch64.h"
#include "i386/i386.h"
#include "riscv64/riscv64.h"
#include "x86_64/x86_64.h"

#include <elf.h>
#include <string.h>

static const struct tool_arch *const known[] = {&tool_arch_x86_64, &tool_arch_aarch64,
                                                &tool_arch_riscv64, &tool_arch_i386};

const struct tool_arch *tool_arch_of(unsigned machine)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i]->machine == machine)
            return known[i];
    return NULL;
}

const struct tool_arch *tool_arch_usual(void)
{
    return &SDTLINK_MACHINE;
}

const struct tool_arch *tool_arch_emulated(const char *emulation)
{
    for (size_t i = 0; emulation && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i]->emulation, emulation) == 0)
            return known[i];
    return tool_arch_usual();
}

const struct tool_arch *tool_arch_of_compiler(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const char *machine = known[i]->multiarch;
        if (strncmp(name, machine, strcspn(machine, "-") + 1) == 0)
            return known[i];
    }
    return tool_arch_usual();
}

const char *tool_arch_machine_name(unsigned machine)
{
    switch (machine) {
    case EM_386:
        return "i386";
    case EM_AARCH64:
        return "aarch64";
    case EM_ARM:
        return "arm";
    case EM_RISCV:
        return "riscv";
    case EM_PPC64:
        return "ppc64";
    case EM_S390:
        return "s390";
    default:
        return "another machine";
    }
}
