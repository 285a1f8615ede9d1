/* SPDX-License-Identifier: BSD-2-Clause */
/* The machines that the tool knows: which struct (tool_arch.h) serves an object. */
#ifndef SDTLINK_ARCH_MACHINES_H
#define SDTLINK_ARCH_MACHINES_H

#include <arch/tool_arch.h>

/* What e_machine MACHINE is called in a message, whether we know it or not. */
const char *tool_arch_machine_name(unsigned machine);
/* The struct for e_machine MACHINE; NULL: this version does not know it. */
const struct tool_arch *tool_arch_of(unsigned machine);
/* Whose objects can be processed, for messages: "x86-64, i386, aarch64 or riscv64". */
#define TOOL_ARCH_NAMES "x86-64, i386, aarch64 or riscv64"
/* What is linked if no machine is given: that of the tool itself. */
const struct tool_arch *tool_arch_usual(void);
/* What a linker with option -m EMULATION, NULL without it, links. */
const struct tool_arch *tool_arch_emulated(const char *emulation);
/* What a compiler called NAME compiles for, which may begin with a machine's name. */
const struct tool_arch *tool_arch_of_compiler(const char *name);

#endif
