/* SPDX-License-Identifier: BSD-2-Clause */
/* Text and numbers, appended. Integers have their own code: printf() would take most of a report's
 * time. */
#ifndef SDT_BASE_TEXT_H
#define SDT_BASE_TEXT_H

#include "memory.h"

void text_append(struct bytes *to, const char *text);
void text_char(struct bytes *to, char c);
void text_natural(struct bytes *to, uint64_t number);
void text_integer(struct bytes *to, int64_t number);
/* With leading zeros up to DIGITS. */
void text_zeros(struct bytes *to, uint64_t number, unsigned digits);
/* In base 16, after 0x. */
void text_hex(struct bytes *to, uint64_t number);
/* The same without 0x, with leading zeros up to LEAST. */
void text_hex_digits(struct bytes *to, uint64_t number, unsigned least);
/* The value of the digit C; -1: it is none. */
int hex_digit(char c);

#endif
