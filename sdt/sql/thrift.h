/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing Thrift's compact protocol: a struct is its fields, each with the distance from the number
 * of the one before and a type, and a zero byte. (doc/specs/thrift-compact-protocol.md in Thrift.)
 */
#ifndef SDT_THRIFT_H
#define SDT_THRIFT_H

#include "base/memory.h"
#include "base/slice.h"

enum thrift_type { THRIFT_I32 = 5, THRIFT_I64 = 6, THRIFT_BINARY = 8, THRIFT_STRUCT = 12 };
enum { THRIFT_DEPTH = 8 };

/* All zero: nothing was written. It begins inside of a struct, which thrift_close() ends. */
struct thrift {
    struct bytes text;
    unsigned last[THRIFT_DEPTH], depth; /* number of the last field, of each struct that is open */
};

/* Numbers of fields are ascending. FIELD 0 is an element of a list. */
void thrift_i32(struct thrift *thrift, unsigned field, int32_t number);
void thrift_i64(struct thrift *thrift, unsigned field, int64_t number);
void thrift_binary(struct thrift *thrift, unsigned field, struct slice text);
void thrift_open(struct thrift *thrift, unsigned field);
void thrift_close(struct thrift *thrift);
/* A list: COUNT elements of TYPE follow. */
void thrift_list(struct thrift *thrift, unsigned field, enum thrift_type type, size_t count);

#endif
