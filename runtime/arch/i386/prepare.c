/* SPDX-License-Identifier: BSD-2-Clause */
/* What must be known of the machine before vector registers are kept: no site needs that. */
#include <arch/machine.h>

void machine_prepare(void) {}
