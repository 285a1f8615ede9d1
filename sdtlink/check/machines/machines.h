/* SPDX-License-Identifier: BSD-2-Clause */
/* The machines about which something is known. */
#ifndef SDTLINK_CHECK_MACHINES_H
#define SDTLINK_CHECK_MACHINES_H

#include "check/machine.h"

/* The machine of an ELF file; NULL: nothing is known about it. */
const struct machine *machine_find(unsigned elf_machine, bool is_64);

extern const struct machine machine_aarch64, machine_arm, machine_i386, machine_powerpc,
    machine_riscv, machine_s390x, machine_x86_64;

#endif
