/* SPDX-License-Identifier: BSD-2-Clause */
/* What must be known of the machine before vector registers are kept. */
#include <arch/machine.h>

#include "vector.h"

void machine_prepare(void)
{
    vector_prepare();
}
