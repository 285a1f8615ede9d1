/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the checks know of a machine that probes are compiled for: how operands are written, which
 * registers tracers can read, and which instruction they want at a probe. Each machine has one
 * struct, in the folder machines; the rest of this folder uses the struct and knows no machine.
 */
#ifndef SDTLINK_CHECK_MACHINE_H
#define SDTLINK_CHECK_MACHINE_H

#include "operand.h"

#include <stdint.h>

enum register_class {
    REGISTER_UNKNOWN,
    REGISTER_GENERAL,
    REGISTER_HALF,      /* the lower half of a general register, by a name of its own */
    REGISTER_HIGH_BYTE, /* bits 8 to 15 of one */
    REGISTER_LOW_BYTE,  /* bits 0 to 7, by a name that not all consumers know */
    REGISTER_VECTOR
};

/* The bytes at a probe. */
struct code {
    const uint8_t *bytes;
    size_t count;         /* at most CODE_LONGEST, at least 1 */
    uint64_t page_offset; /* of the first one, in its page */
};
enum { CODE_LONGEST = 15, CODE_PAGE = 4096 };

struct machine {
    uint16_t elf;       /* e_machine … */
    bool is_64_only;    /* … of 64-bit files */
    const char *name;   /* as rules.h calls it, … */
    const char *family; /* … and it together with others; NULL: no rule is about several */

    bool has_operands; /* false: nothing is known about them, and what follows means nothing */
    enum operand_syntax syntax;
    enum register_class (*register_class)(struct slice name);
    bool has_vector_rule;   /* "arg-vector-register" is about this machine */
    bool marks_constants;   /* a number without its `$` is an address */
    bool needs_base;        /* no consumer reads memory without a base register */
    bool has_bare_brackets; /* memory without a displacement is what everybody writes */
    bool is_stack_only;     /* memory is read at the stack pointer only, not by all consumers */

    /* The rule that the bytes at a probe break, and how many of them are to be shown; NULL: none.
     */
    const char *(*judge)(const struct code *code, size_t *shown);
};

/* For the machines: a number below LIMIT between PREFIX and SUFFIX, and nothing else. */
bool is_numbered(struct slice name, const char *prefix, unsigned limit, const char *suffix);
/* Whether NAME is one of WORDS, which blanks separate. */
bool is_one_of(struct slice name, const char *words);

#endif
