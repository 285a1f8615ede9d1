/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The value of an argument at a site whose registers are all live, from its operand.
 */
#ifndef SDT_ARGUMENT_H
#define SDT_ARGUMENT_H

#include "args.h"

#include <arch/registers.h>

/*
 * Argument INDEX of the descriptor TEXT, whose types are ARGS: extended by its type, a float as the
 * bits of a double. 0 if its operand means nothing here, or memory that cannot be read.
 */
uint64_t argument_value(const char *text, const struct args *args, unsigned index,
                        const struct registers *registers);

#endif
