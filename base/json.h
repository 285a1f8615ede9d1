/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * JSON, appended to a text value by value. Commas are placed here: the last byte of the text tells
 * whether one is due, so a function can add members to an object that its caller has begun.
 *
 *     json_open(&text, NULL, '{');
 *     json_string(&text, "name", site->name);
 *     json_natural(&text, "hits", site->hits);
 *     json_close(&text, '}');
 *
 * KEY is the name of a member; NULL: it is an element of an array, or the whole text.
 */
#ifndef SDT_BASE_JSON_H
#define SDT_BASE_JSON_H

#include "memory.h"
#include "slice.h"

/* A comma, if one is due, and KEY: the caller appends the value. */
void json_key(struct bytes *to, const char *key);
void json_open(struct bytes *to, const char *key, char bracket);
void json_close(struct bytes *to, char bracket);
void json_slice(struct bytes *to, const char *key, struct slice text);
/* Up to MAX_NAME_BYTES; of NULL, null. */
void json_string(struct bytes *to, const char *key, const char *text);
void json_natural(struct bytes *to, const char *key, uint64_t number);
void json_integer(struct bytes *to, const char *key, int64_t number);
void json_null(struct bytes *to, const char *key);

/* The next element begins on a line of its own, after INDENT, which ends in a blank or is empty. */
void json_line(struct bytes *to, const char *indent);

/* TEXT in quotes, and nothing more. Valid UTF-8 stays as it is but for what a terminal obeys; a
 * byte that is none becomes U+FFFD. */
void json_quote(struct bytes *to, struct slice text);

/* Write to stdout what is there but the last byte, which the next comma depends on. */
void json_flush(struct bytes *to);
/* Write the rest and free it. */
void json_finish(struct bytes *to);

#endif
