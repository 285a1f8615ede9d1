/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of 128 bits: in conditions, and in what `sdt` calculates. */
#ifndef SDT_WIDE_H
#define SDT_WIDE_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 wide_unsigned;

static inline wide_unsigned wide_size(__int128 number)
{
    return number < 0 ? -(wide_unsigned)number : (wide_unsigned)number;
}

/*
 * Whether A * B does not fit. __builtin_mul_overflow() says that as well; but for it, and for a
 * division that tests the same, clang calls __muloti4() on some machines, a function that libgcc
 * does not have. So the product is made of halves: two high halves do not fit, the product of one
 * and a low half goes into the high half.
 */
static inline bool wide_multiply(__int128 a, __int128 b, __int128 *product)
{
    const wide_unsigned one = wide_size(a), other = wide_size(b);
    const wide_unsigned low = (wide_unsigned)(uint64_t)one * (uint64_t)other;
    const wide_unsigned high = (wide_unsigned)(uint64_t)(one >> 64) * (uint64_t)other +
                               (wide_unsigned)(uint64_t)one * (uint64_t)(other >> 64);
    const wide_unsigned size = low + (high << 64), most = (wide_unsigned)1 << 127;
    bool is_negative = (a < 0) != (b < 0);
    *product = (__int128)(is_negative ? -size : size);
    return (one >> 64 && other >> 64) || high >> 64 || size < low ||
           size > (is_negative ? most : most - 1);
}

#endif
