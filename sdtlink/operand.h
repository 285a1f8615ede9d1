/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The operands of an inline site's asm statement, as a compiler prints them; pure.
 */
#ifndef SDTLINK_OPERAND_H
#define SDTLINK_OPERAND_H

#include "memory.h"

/* An operand that is not in a register. */
enum { OPERAND_ELSEWHERE = 16 };

/*
 * Whether every tracer can read OPERAND: a register or a part of it (not the second byte of one), a
 * constant, memory at a constant displacement from a register. No symbol, no index register. *PLACE
 * tells which register, or OPERAND_ELSEWHERE.
 */
bool operand_is_plain(const char *operand, uint8_t *place);

/* Append such a register in the spelling of all tracers: `%rax` for any part of it. */
void operand_append_register(struct bytes *text, uint8_t place);

#endif
