/* SPDX-License-Identifier: BSD-2-Clause */
/* The machines that verify knows. */
#ifndef SDT_VERIFY_MACHINES_H
#define SDT_VERIFY_MACHINES_H

#include "../arch.h"

#define MACHINES_NAMES "x86-64, aarch64 or riscv64" /* for messages */

extern const struct arch *const machines[]; /* up to a NULL */
/* By e_machine; NULL: not one of them. */
const struct arch *machines_find(unsigned machine);

#endif
