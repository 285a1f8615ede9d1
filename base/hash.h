/* SPDX-License-Identifier: BSD-2-Clause */
/* FNV-1a, the hash of Fowler, Noll and Vo (RFC 9923), with 64 bits. Its highest bits are the best.
 */
#ifndef SDT_BASE_HASH_H
#define SDT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Go on from HASH, at first HASH_START, with SIZE bytes of DATA. */
static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
