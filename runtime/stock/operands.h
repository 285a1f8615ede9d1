/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of a note as the descriptor of a record (<sdt/format.h>). */
#ifndef SDT_STOCK_OPERANDS_H
#define SDT_STOCK_OPERANDS_H

#include <stddef.h>
#include <stdint.h>

/* How many arguments ARGS, the text of a note, has. */
unsigned operands_count(const char *args);
/*
 * Write the descriptor to TEXT, with a NUL: at most operands_room() bytes. Of the arguments whose
 * size is none of an integer's, and those that name variables, nothing is known.
 */
size_t operands_room(const char *args);
size_t operands_describe(const char *args, char *text);

#endif
