/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Encodings of Parquet (Encodings.md of parquet-format): the bytes of numbers, appended to TO;
 * pure.
 */
#ifndef SDT_PARQUET_ENCODE_H
#define SDT_PARQUET_ENCODE_H

#include "base/memory.h"

/* How many bits NUMBER has. */
unsigned encode_bits(uint64_t number);
/* Runs of equal numbers, and between them numbers of BITS bits each, at most 32. */
void encode_runs(struct bytes *to, const uint64_t *numbers, size_t count, unsigned bits);
/* Differences, in blocks, each with as many bits as its largest needs. Numbers have BITS bits, 32
 * or 64. */
void encode_differences(struct bytes *to, const uint64_t *numbers, size_t count, unsigned bits);
/* One bit each. */
void encode_booleans(struct bytes *to, const uint64_t *numbers, size_t count);
/* The lowest SIZE bytes of each. */
void encode_plain(struct bytes *to, const uint64_t *numbers, size_t count, size_t size);

#endif
