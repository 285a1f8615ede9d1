/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The value of an argument at a site whose registers are all live, from its operand.
 */
#ifndef SDT_ARGUMENT_H
#define SDT_ARGUMENT_H

#include "args.h"

#include <arch/registers.h>

/*
 * The operands of one site: as many as it has arguments, zeroed, read from the descriptor by the
 * first handler that asks. Any number of threads may do that at once: they store the same words.
 */
struct site_operand {
    uint64_t words[2]; /* a struct operand; atomic; the one with `kind` is stored last */
};

/* What a site's descriptor says. */
struct argument_source {
    const char *text;
    const struct args *args; /* its types */
    struct site_operand *operands;
    bool is_valid; /* the program has evaluated all arguments: their memory can be read */
};

/*
 * Argument INDEX: extended by its type, a float as the bits of a double. 0 if its operand means
 * nothing here, or memory that cannot be read. Async-signal-safe.
 */
uint64_t argument_value(const struct argument_source *source, unsigned index,
                        const struct registers *registers);

#endif
