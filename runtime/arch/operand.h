/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an operand of an argument descriptor (<sdt/format.h>), in the assembler's syntax, means at a
 * site whose registers are all live. Each machine's syntax.c reads it, as pure functions which are
 * compiled on every host: the tool makes no site of a note whose operands the runtime cannot read.
 */
#ifndef SDT_ARCH_OPERAND_H
#define SDT_ARCH_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct registers;

enum operand_kind {
    OPERAND_UNKNOWN,  /* nothing that can be evaluated: its value is not available */
    OPERAND_CONSTANT, /* `displacement` */
    OPERAND_REGISTER, /* general register `base`; if `is_high`, the second byte of it */
    OPERAND_VECTOR,   /* vector register `base` */
    OPERAND_MEMORY,   /* displacement(base, index, scale) */
    OPERAND_SYMBOL    /* a variable: where it is, the record says; its pointer: is_indirect */
};

enum { OPERAND_NO_REGISTER = 64 };

struct operand {
    uint8_t kind;               /* enum operand_kind */
    uint8_t base, index, scale; /* OPERAND_NO_REGISTER: none */
    bool is_high, is_indirect;
    int64_t displacement;
};

/* Whether the value of an argument of SIZE bytes can be taken from OPERAND. */
static inline bool operand_is_readable(const struct operand *operand, unsigned size)
{
    bool is_high = operand->kind == OPERAND_REGISTER && operand->is_high;
    return operand->kind != OPERAND_UNKNOWN && (!is_high || size == 1);
}

/* The assemblers' syntaxes. */
struct operand_syntax {
    /* Read the operand at TEXT, which ends at a blank or NUL. */
    void (*parse)(const char *text, struct operand *operand);
    /* The name in an operand of kind OPERAND_SYMBOL, and how long it is. NULL: the machine has no
     * such operands. */
    const char *(*name)(const char *text, size_t *length);
    /* How many bytes OPERAND is, as a digit, if its type is not given: by a register's name. */
    char (*size)(const char *operand, size_t length);
};
extern const struct operand_syntax sdt_aarch64_operands, sdt_riscv64_operands, sdt_x86_64_operands;

/* ---- The syntax of the runtime's machine, and what only the runtime asks. ---- */

extern const struct operand_syntax *const operand_syntax;

static inline void operand_parse(const char *text, struct operand *operand)
{
    operand_syntax->parse(text, operand);
}

/* The address that a OPERAND_MEMORY operand means. */
uint64_t operand_address(const struct operand *operand, const struct registers *registers);

/* After the beginning of the next place in TEXT that names a variable; NULL: there is none. */
const char *operand_next_symbol(const char *text);

#endif
