/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text that grows at its end.
 */
#ifndef SDT_DTRACE_TEXT_H
#define SDT_DTRACE_TEXT_H

#include "base/memory.h"

/* For "%.*s". */
#define TEXT_SLICE(slice) (int)(slice).length, (slice).text

void text_add(struct bytes *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
