/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The operands of an inline site's asm statement, as a compiler prints them; pure.
 */
#ifndef SDTLINK_OPERAND_H
#define SDTLINK_OPERAND_H

#include "memory.h"

/* Where an operand is: one of the 16 general registers, of which these are named, or not in one. */
enum {
    OPERAND_RCX = 2,
    OPERAND_RDX,
    OPERAND_RSI,
    OPERAND_RDI,
    OPERAND_R8 = 8,
    OPERAND_R9,
    OPERAND_ELSEWHERE = 16
};

/*
 * Whether every tracer can read OPERAND: a register or a part of it (not the second byte of one), a
 * constant, memory at a constant displacement from a register. No symbol, no index register. *PLACE
 * tells which register, or OPERAND_ELSEWHERE.
 */
bool operand_is_plain(const char *operand, uint8_t *place);

enum { OPERAND_REGISTER_SIZE = 5 };
/*
 * Write such a register at TO in the spelling of all tracers, `%rax` for any part of it, without a
 * NUL; there must be room for OPERAND_REGISTER_SIZE bytes. Returns how many it takes.
 */
size_t operand_put_register(char *to, uint8_t place);

#endif
