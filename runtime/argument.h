/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The value of an argument at a site whose registers are all live, from its operand.
 */
#ifndef SDT_ARGUMENT_H
#define SDT_ARGUMENT_H

#include "args.h"

#include <arch/registers.h>
#include <string.h>

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

/* The low SIZE bytes of WORD, extended. */
static inline uint64_t argument_extend(uint64_t word, size_t size, bool is_signed)
{
    unsigned unused = 64 - 8 * (unsigned)size;
    word <<= unused;
    return is_signed ? (uint64_t)((int64_t)word >> unused) : word >> unused;
}

/*
 * What most arguments are, and every handler pays for: an integer in a register. False: anything
 * else, or not read yet.
 */
static inline bool argument_is_in_register(const struct site_operand *place, uint8_t type,
                                           const struct registers *registers, uint64_t *value)
{
    struct operand operand;
    uint64_t word = __atomic_load_n(&place->words[0], __ATOMIC_RELAXED);
    memcpy(&operand, &word, sizeof word); /* all but the displacement */
    if (operand.kind != OPERAND_REGISTER || operand.is_high || type & SDT_ARG_FLOAT)
        return false;
    *value = argument_extend(registers->general[operand.base], type & SDT_ARG_SIZE,
                             type & SDT_ARG_SIGNED);
    return true;
}

/*
 * Argument INDEX: extended by its type, a float as the bits of a double. 0 if its operand means
 * nothing here, or memory that cannot be read. Async-signal-safe.
 */
uint64_t argument_value(const struct argument_source *source, unsigned index,
                        const struct registers *registers);

#endif
