/* SPDX-License-Identifier: BSD-2-Clause */
/* What is wrong with an expression: the message, the expression, and a caret below the place. */
#ifndef SDT_MARK_H
#define SDT_MARK_H

#include <stddef.h>

/* Always -1. */
int mark_error(const char *text, size_t offset, const char *problem);

#endif
