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

#endif
