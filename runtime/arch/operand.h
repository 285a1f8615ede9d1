/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an operand of an argument descriptor (<sdt/format.h>), in the assembler's syntax, means at a
 * site whose registers are all live. The machine's operand.c reads it.
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

/* Read the operand at TEXT, which ends at a blank or NUL. */
void operand_parse(const char *text, struct operand *operand);

/* The address that a OPERAND_MEMORY operand means. */
uint64_t operand_address(const struct operand *operand, const struct registers *registers);

/* After the beginning of the next place in TEXT that names a variable; NULL: there is none. */
const char *operand_next_symbol(const char *text);
/*
 * Whether OPERAND, of LENGTH characters, says that it is a variable. So many of them, *SUM, are its
 * name and numbers; 0: that cannot be read.
 */
bool operand_has_symbol(const char *operand, size_t length, size_t *sum);
/* How many bytes OPERAND is, as a digit, if nobody says: a register's name does. */
char operand_size(const char *operand, size_t length);

#endif
