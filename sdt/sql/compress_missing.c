/* SPDX-License-Identifier: BSD-2-Clause */
#include "compress.h"

const bool compress_is_zstd = false;

void compress_append(struct bytes *to, const struct bytes *bytes)
{
    bytes_append(to, bytes->data, bytes->size);
}
