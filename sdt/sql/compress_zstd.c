/* SPDX-License-Identifier: BSD-2-Clause */
#include "compress.h"

#include <zstd.h>

const bool compress_is_zstd = true;

/* There is room for all: what can fail is memory. */
void compress_append(struct bytes *to, const struct bytes *bytes)
{
    enum { LEVEL = 3 };
    size_t room = ZSTD_compressBound(bytes->size), start = bytes_append(to, NULL, room);
    size_t size = ZSTD_compress(to->data + start, room, bytes->data, bytes->size, LEVEL);
    if (ZSTD_isError(size))
        memory_is_exhausted();
    to->size = start + size;
}
