/* SPDX-License-Identifier: BSD-2-Clause */
/* An event as its user wants to see it: text with names in braces; `{{` is a brace. */
#ifndef SDT_FOLLOW_FORMAT_H
#define SDT_FOLLOW_FORMAT_H

#include "trace/merge.h"

/* NULL: it is right; else what is wrong with it. */
const char *follow_format_check(const char *format);
/* EVENT as FORMAT says, with a newline; a name that it does not have is a `?`. */
void follow_format_append(struct bytes *to, const char *format, const struct event *event);

#endif
