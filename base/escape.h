/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Printing names from a file. They are arbitrary bytes: an escape sequence must not reach the
 * terminal. json.h has strings of JSON.
 */
#ifndef SDT_BASE_ESCAPE_H
#define SDT_BASE_ESCAPE_H

#include "slice.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The length of the character at the start of TEXT, of which LEFT bytes exist (at least one), and
 * its number; 0: it is not UTF-8 (cut off, longer than needed, half of a surrogate pair, or beyond
 * Unicode).
 */
size_t escape_decode(const char *text, size_t left, uint32_t *code);
/* What a terminal obeys instead of showing it: controls, and the directions of writing. */
bool escape_is_control(uint32_t code);

/* For people: printable ASCII as it is, every other byte as \xNN. */
void escape_print(FILE *out, struct slice text);
enum { ESCAPE_SIZE = sizeof "\\xff" };
/* One byte the same way, to PIECE; returns the length. */
size_t escape_byte(char piece[ESCAPE_SIZE], char c);
/*
 * For people, what is text for the most part: a message, the name of a file. Valid UTF-8 as it is,
 * as people name their directories, but for what terminals obey (control characters, and those
 * that turn the direction of writing): that, and bytes that are not UTF-8, as \xNN.
 */
void escape_print_text(FILE *out, struct slice text);
/* How many bytes at the start of TEXT can stay as they are, everywhere. */
size_t escape_plain_length(const char *text, size_t length);

#endif
