/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDT_BASE_ESCAPE_APPEND_H
#define SDT_BASE_ESCAPE_APPEND_H

#include "memory.h"
#include "slice.h"

/*
 * As escape_print(), into memory: a file of its own, since memory.c reports through diag.c, which
 * escapes, that memory is exhausted.
 */
void escape_append(struct bytes *to, struct slice text);

/* How long TEXT is when each byte that is not UTF-8 has become U+FFFD; as long as before if all is.
 */
size_t escape_utf8_length(struct slice text);
/* TEXT with these bytes replaced. */
void escape_append_utf8(struct bytes *to, struct slice text);

#endif
