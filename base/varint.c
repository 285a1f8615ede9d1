/* SPDX-License-Identifier: BSD-2-Clause */
#include "varint.h"

void varint_append(struct bytes *to, uint64_t number)
{
    uint8_t buffer[10];
    size_t size = 0;
    for (; number >= 0x80; number >>= 7)
        buffer[size++] = (uint8_t)(number | 0x80);
    buffer[size++] = (uint8_t)number;
    bytes_append(to, buffer, size);
}

void varint_append_signed(struct bytes *to, int64_t number)
{
    varint_append(to, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
}
