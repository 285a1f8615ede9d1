/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers in as few bytes as they need, seven bits each, the lowest first: LEB128, as in Protocol
 * Buffers and Thrift. */
#ifndef SDT_BASE_VARINT_H
#define SDT_BASE_VARINT_H

#include "memory.h"

void varint_append(struct bytes *to, uint64_t number);
/* Of either sign: small in both directions ("zigzag"). */
void varint_append_signed(struct bytes *to, int64_t number);

#endif
