/* SPDX-License-Identifier: BSD-2-Clause */
/* zstd, if sdt was built with it: else everything stays as it is. */
#ifndef SDT_COMPRESS_H
#define SDT_COMPRESS_H

#include "base/memory.h"

extern const bool compress_is_zstd;
/* Append what is in BYTES, compressed. */
void compress_append(struct bytes *to, const struct bytes *bytes);

#endif
