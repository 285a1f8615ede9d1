/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing Protocol Buffers: a message is its fields, one after the other, each with a number and a
 * wire type in front (protobuf.dev/programming-guides/encoding).
 */
#ifndef SDT_BASE_PROTOBUF_H
#define SDT_BASE_PROTOBUF_H

#include "memory.h"
#include "slice.h"

void protobuf_natural(struct bytes *to, unsigned field, uint64_t number);
/* int32 and int64, not sint. */
void protobuf_integer(struct bytes *to, unsigned field, int64_t number);
/* sint32 and sint64. */
void protobuf_zigzag(struct bytes *to, unsigned field, int64_t number);
void protobuf_double(struct bytes *to, unsigned field, double number);
void protobuf_fixed64(struct bytes *to, unsigned field, uint64_t number);
/* Must be UTF-8: other bytes become U+FFFD. */
void protobuf_string(struct bytes *to, unsigned field, struct slice text);
void protobuf_bytes(struct bytes *to, unsigned field, const void *data, size_t size);
/* A repeated uint64, packed. */
void protobuf_packed(struct bytes *to, unsigned field, const uint64_t *numbers, size_t count);
/*
 * A message inside: what is appended between these two, of which the first returns what the second
 * needs. The length that stands before it is written with a fixed number of digits.
 */
size_t protobuf_open(struct bytes *to, unsigned field);
void protobuf_close(struct bytes *to, size_t start);

#endif
