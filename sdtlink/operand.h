/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The operands of an inline site's asm statement, as a compiler prints them; pure.
 */
#ifndef SDTLINK_OPERAND_H
#define SDTLINK_OPERAND_H

#include "memory.h"

/*
 * Whether every tracer can read OPERAND: a register or a part of it (not the second byte of one), a
 * constant, memory at a constant displacement from a register. No symbol, no index register.
 */
bool operand_is_plain(const char *operand);

/* Append a plain operand in the spelling of all tracers: `%rax` for any part of that register. */
void operand_append(struct bytes *text, const char *operand);

#endif
