/* SPDX-License-Identifier: BSD-2-Clause */
/* Taking apart the arguments of a note or a record. */
#ifndef SDTLINK_LIST_ARGS_H
#define SDTLINK_LIST_ARGS_H

#include <stddef.h>

/*
 * The length of the first argument of TEXT, which ends at LENGTH or before. Blanks separate
 * arguments, but not inside of brackets: "8@[sp, 16] 4@x1" are two. An argument may have no size
 * before it: "%edi %rax".
 */
size_t list_argument_length(const char *text, size_t length);

#endif
