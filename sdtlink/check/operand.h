/* SPDX-License-Identifier: BSD-2-Clause */
/* One argument of a note, taken apart; pure. */
#ifndef SDTLINK_CHECK_OPERAND_H
#define SDTLINK_CHECK_OPERAND_H

#include "base/slice.h"

enum operand_kind {
    OPERAND_UNKNOWN,
    OPERAND_REGISTER, /* %rax, x0, a0 */
    OPERAND_MEMORY,   /* -8(%rbp), [sp, 16] */
    OPERAND_CONSTANT  /* $5, 5 */
};

struct operand {
    bool has_size, is_signed, is_float;
    unsigned long size;
    struct slice text; /* after the @, or all of it */
    enum operand_kind kind;
    struct slice base, index; /* registers, without their % */
    bool has_displacement, is_hexadecimal, has_symbol, has_segment, has_index, has_at;
    unsigned terms; /* of the displacement or the constant */
};

enum operand_syntax { SYNTAX_ATT, SYNTAX_BRACKETS, SYNTAX_PARENTHESES };

/* Never fails: what is not understood is OPERAND_UNKNOWN. */
void operand_parse(struct operand *operand, struct slice argument, enum operand_syntax syntax);

#endif
