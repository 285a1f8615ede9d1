/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Products, quotients and reals of 128 bits: of clocks, in conditions, and in what `sdt`
 * calculates.
 *
 * For a division of such numbers, compilers call functions of libgcc. A link that names no libgcc
 * would then fail because of our library: so libsdt.a for x86-64 calls none of them.
 */
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

/* A / B, with the remainder; B is not 0. Bit by bit if one of them has more than 64. */
static inline wide_unsigned wide_divide_sizes(wide_unsigned a, wide_unsigned b,
                                              wide_unsigned *remainder)
{
    wide_unsigned quotient = 0, rest = 0;
    if (!(a >> 64) && !(b >> 64)) {
        *remainder = (uint64_t)a % (uint64_t)b;
        return (uint64_t)a / (uint64_t)b;
    }
    for (int bit = 127; bit >= 0; bit--) {
        bool is_over = rest >> 127; /* what is shifted out makes it larger than B in any case */
        rest = rest << 1 | (a >> bit & 1);
        if (is_over || rest >= b) {
            rest -= b;
            quotient |= (wide_unsigned)1 << bit;
        }
    }
    *remainder = rest;
    return quotient;
}

/* The same with signs, as C has it: towards 0, and the remainder has A's sign. The smallest number
 * by -1 wraps. */
static inline __int128 wide_divide(__int128 a, __int128 b, __int128 *remainder)
{
    wide_unsigned rest, quotient = wide_divide_sizes(wide_size(a), wide_size(b), &rest);
    *remainder = (__int128)(a < 0 ? -rest : rest);
    return (__int128)((a < 0) != (b < 0) ? -quotient : quotient);
}

/* Both halves are exact, so the sum is rounded once. */
static inline long double wide_real(__int128 number)
{
    return (long double)(int64_t)(number >> 64) * 0x1p64L + (long double)(uint64_t)number;
}

#endif
