/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calculating with doubles, as their bits, in general registers: at a hit the vector registers are
 * the probed thread's. Results are those of IEEE 754 with rounding to the nearest, ties to even,
 * subnormal numbers included, bit for bit those of the processor, except that all NaNs are alike.
 * Exceptions are not reported. Pure functions.
 *
 * Berkeley SoftFloat does all that and much more, as a library that Debian does not have; what
 * compilers bring (libgcc, compiler-rt) takes doubles in vector registers. Four operations in one
 * format and one rounding mode are shorter than either.
 */
#ifndef SDT_BYTECODE_SOFTFLOAT_H
#define SDT_BYTECODE_SOFTFLOAT_H

#include <stdbool.h>
#include <stdint.h>

uint64_t softfloat_add(uint64_t a, uint64_t b);
uint64_t softfloat_subtract(uint64_t a, uint64_t b);
uint64_t softfloat_multiply(uint64_t a, uint64_t b);
uint64_t softfloat_divide(uint64_t a, uint64_t b);

static inline bool softfloat_is_nan(uint64_t bits)
{
    return bits << 1 > UINT64_C(0x7ff) << 53;
}

/* NUMBER, rounded; IS_SIGNED: it is an int64_t. And the double that a float is. */
uint64_t softfloat_from_integer(uint64_t number, bool is_signed);
uint64_t softfloat_from_float(uint32_t bits);

/* int(A * FACTOR), of the product as softfloat_multiply() makes it. False: it does not fit. */
bool softfloat_scale(uint64_t a, uint64_t factor, uint64_t *result);

/* < 0, 0, > 0, or SOFTFLOAT_UNORDERED with a NaN. With an integer, exactly. */
enum { SOFTFLOAT_UNORDERED = 2 };
int softfloat_compare(uint64_t a, uint64_t b);
int softfloat_compare_integer(uint64_t a, uint64_t number, bool is_signed);

/* Doubles in the order of these integers; both zeros are one. NaNs are beyond both infinities. */
static inline int64_t softfloat_order(uint64_t bits)
{
    int64_t sign = -(int64_t)(bits >> 63);
    return ((int64_t)bits ^ (sign & INT64_MAX)) - sign;
}

/*
 * The same as the functions above, of what numbers nearly always are: the product of two that are
 * normal, and is normal, and integers of at most 53 bits, which need no rounding. This takes a
 * third of the instructions. False: those functions have to do it.
 */
static inline bool softfloat_multiply_quickly(uint64_t a, uint64_t b, uint64_t *product)
{
    enum { BIAS = 1023, TOP = 2047, EXTRA = 10 };
    const uint64_t sign_bit = UINT64_C(1) << 63; /* and below, the leading 1 of a mantissa */
    unsigned one = a >> 52 & TOP, other = b >> 52 & TOP, exponent = one + other - BIAS + 1;
    unsigned __int128 wide = (unsigned __int128)((a << 11 | sign_bit) >> 1) * (b << 11 | sign_bit);
    uint64_t mantissa = (uint64_t)(wide >> 64) | ((uint64_t)wide != 0);
    unsigned shift = !(mantissa >> 62);
    exponent -= shift;
    mantissa <<= shift;
    mantissa += (1 << (EXTRA - 1)) - 1 + (mantissa >> EXTRA & 1);
    *product = ((a ^ b) & sign_bit) + ((uint64_t)(exponent - 1) << 52) + (mantissa >> EXTRA);
    return one - 1 < TOP - 1 && other - 1 < TOP - 1 && exponent - 1 < TOP - 1;
}

static inline bool softfloat_from_integer_quickly(uint64_t number, bool is_signed, uint64_t *real)
{
    enum { BIAS = 1023, ZEROS = 11 }; /* before a mantissa */
    uint64_t sign = number & (uint64_t)is_signed << 63, magnitude = sign ? -number : number;
    if (magnitude - 1 >= (UINT64_C(1) << (64 - ZEROS)) - 1)
        return false;
    unsigned zeros = (unsigned)__builtin_clzll(magnitude);
    *real = sign + ((uint64_t)(BIAS + 62 - zeros) << 52) + (magnitude << (zeros - ZEROS));
    return true;
}

#endif
