/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDT_BASE_BASE64_H
#define SDT_BASE_BASE64_H

#include "memory.h"

/* SIZE bytes as text (RFC 4648, with padding). */
void base64_append(struct bytes *to, const uint8_t *from, size_t size);

#endif
