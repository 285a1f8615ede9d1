/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See softfloat.h. A number that is neither zero nor infinite is taken apart to a mantissa of 53
 * bits, the first of which is 1, and an exponent. An operation works on mantissas that begin at bit
 * 62, with ten bits more than are kept; the last of them, the sticky bit, is 1 if anything below it
 * was cut off. Rounding needs no more. So the sum, difference, product and quotient are rounded
 * once, in round_to_bits().
 *
 * This file is compiled for general registers only.
 */
#include "softfloat.h"

enum { BIAS = 1023, TOP = 2047, EXTRA = 10 };

static const uint64_t sign_bit = UINT64_C(1) << 63;
static const uint64_t leading = UINT64_C(1) << 52;
static const uint64_t infinite = (uint64_t)TOP << 52;
static const uint64_t not_a_number = UINT64_C(0x7ff8) << 48;

static bool is_zero(uint64_t bits)
{
    return bits << 1 == 0;
}

static bool is_infinite(uint64_t bits)
{
    return (bits & ~sign_bit) == infinite;
}

/* ---- Parts. ---- */

struct parts {
    uint64_t mantissa; /* from `leading` to less than twice that */
    int exponent;      /* biased; of subnormal numbers 0 or less */
};

/* Of BITS that are finite, and not zero. */
static struct parts take_apart(uint64_t bits)
{
    int exponent = (int)(bits >> 52 & TOP);
    uint64_t mantissa = bits & (leading - 1);
    if (exponent)
        return (struct parts){mantissa | leading, exponent};
    int shift = __builtin_clzll(mantissa) - 11;
    return (struct parts){mantissa << shift, 1 - shift};
}

/* MANTISSA >> N, with a sticky bit. */
static uint64_t shift_right(uint64_t mantissa, int n)
{
    if (n == 0)
        return mantissa;
    return n < 64 ? mantissa >> n | (mantissa << (64 - n) != 0) : mantissa != 0;
}

/*
 * The double nearest to MANTISSA, whose first 1 is bit 62, with the biased EXPONENT. The exponent
 * is put together by a sum, so that the mantissa's own leading bit adds 1 to it, and one more if
 * rounding makes it 2: up to infinity, and from subnormal to normal.
 */
static uint64_t round_to_bits(uint64_t sign, int exponent, uint64_t mantissa)
{
    if (exponent >= TOP)
        return sign | infinite;
    if (exponent <= 0) {
        mantissa = shift_right(mantissa, 1 - exponent);
        exponent = 1;
    }
    uint64_t half = UINT64_C(1) << (EXTRA - 1), rest = mantissa & (2 * half - 1);
    mantissa >>= EXTRA;
    mantissa += rest > half || (rest == half && mantissa & 1);
    return (sign | (uint64_t)(exponent - 1) << 52) + mantissa;
}

/* ---- Sums. ---- */

/* Of A and B, finite and not zero, with |A| >= |B|: the result has A's sign. */
static uint64_t add_magnitudes(uint64_t a, uint64_t b)
{
    struct parts one = take_apart(a), other = take_apart(b);
    uint64_t sum = (one.mantissa << EXTRA) +
                   shift_right(other.mantissa << EXTRA, one.exponent - other.exponent);
    if (sum >> 63) {
        sum = shift_right(sum, 1);
        one.exponent++;
    }
    return round_to_bits(a & sign_bit, one.exponent, sum);
}

static uint64_t subtract_magnitudes(uint64_t a, uint64_t b)
{
    struct parts one = take_apart(a), other = take_apart(b);
    uint64_t rest = (one.mantissa << EXTRA) -
                    shift_right(other.mantissa << EXTRA, one.exponent - other.exponent);
    if (rest == 0)
        return 0;
    int shift = __builtin_clzll(rest) - 1;
    return round_to_bits(a & sign_bit, one.exponent - shift, rest << shift);
}

uint64_t softfloat_add(uint64_t a, uint64_t b)
{
    if (softfloat_is_nan(a) || softfloat_is_nan(b))
        return not_a_number;
    if (is_infinite(a))
        return is_infinite(b) && a != b ? not_a_number : a;
    if (is_zero(a))
        return is_zero(b) ? a & b : b; /* -0 if both are */
    if (is_infinite(b))
        return b;
    if (is_zero(b))
        return a;
    bool is_less = a << 1 < b << 1;
    uint64_t large = is_less ? b : a, small = is_less ? a : b;
    return (a ^ b) >> 63 ? subtract_magnitudes(large, small) : add_magnitudes(large, small);
}

uint64_t softfloat_subtract(uint64_t a, uint64_t b)
{
    return softfloat_add(a, b ^ sign_bit);
}

/* ---- Products. ---- */

uint64_t softfloat_multiply(uint64_t a, uint64_t b)
{
    uint64_t sign = (a ^ b) & sign_bit;
    if (softfloat_is_nan(a) || softfloat_is_nan(b))
        return not_a_number;
    if (is_infinite(a) || is_infinite(b))
        return is_zero(a) || is_zero(b) ? not_a_number : sign | infinite;
    if (is_zero(a) || is_zero(b))
        return sign;
    struct parts one = take_apart(a), other = take_apart(b);
    int exponent = one.exponent + other.exponent - BIAS + 1;
    unsigned __int128 product =
        (unsigned __int128)(one.mantissa << EXTRA) * (other.mantissa << (EXTRA + 1));
    uint64_t mantissa = (uint64_t)(product >> 64) | ((uint64_t)product != 0);
    if (!(mantissa >> 62)) {
        mantissa <<= 1;
        exponent--;
    }
    return round_to_bits(sign, exponent, mantissa);
}

/* By hand, eleven bits at a time: what is left always fits 53 bits. */
static uint64_t divide_mantissas(uint64_t a, uint64_t b)
{
    uint64_t quotient = 1, rest = a - b;
    for (int i = 0; i < 5; i++) {
        rest <<= 11;
        quotient = quotient << 11 | rest / b;
        rest %= b;
    }
    return quotient << (62 - 55) | (rest != 0);
}

uint64_t softfloat_divide(uint64_t a, uint64_t b)
{
    uint64_t sign = (a ^ b) & sign_bit;
    bool is_undefined = (is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b));
    if (softfloat_is_nan(a) || softfloat_is_nan(b) || is_undefined)
        return not_a_number;
    if (is_infinite(a) || is_zero(b))
        return sign | infinite;
    if (is_zero(a) || is_infinite(b))
        return sign;
    struct parts one = take_apart(a), other = take_apart(b);
    int exponent = one.exponent - other.exponent + BIAS;
    if (one.mantissa < other.mantissa) {
        one.mantissa <<= 1;
        exponent--;
    }
    return round_to_bits(sign, exponent, divide_mantissas(one.mantissa, other.mantissa));
}

/* ---- From numbers of other kinds, and to them. ---- */

uint64_t softfloat_from_integer(uint64_t number, bool is_signed)
{
    uint64_t sign = is_signed ? number & sign_bit : 0;
    uint64_t magnitude = sign ? -number : number;
    if (magnitude == 0)
        return 0;
    int zeros = __builtin_clzll(magnitude);
    uint64_t mantissa = zeros ? magnitude << (zeros - 1) : shift_right(magnitude, 1);
    return round_to_bits(sign, BIAS + 63 - zeros, mantissa);
}

uint64_t softfloat_from_float(uint32_t bits)
{
    uint64_t sign = (uint64_t)(bits >> 31) << 63, exponent = bits >> 23 & 0xff;
    uint64_t mantissa = bits & 0x7fffff;
    if (exponent == 0xff) /* infinite, or no number */
        return sign | infinite | mantissa << 29;
    if (!exponent && !mantissa)
        return sign;
    for (exponent += !exponent; !(mantissa >> 23) && !(bits >> 23 & 0xff); exponent--)
        mantissa <<= 1; /* it has no leading 1 */
    return sign | (exponent + BIAS - 127) << 52 | (mantissa & 0x7fffff) << 29;
}

/* The magnitude of A, cut off. False: it is 2^64 or more, infinite, or a NaN. */
static bool cut_off(uint64_t a, uint64_t *whole, bool *has_more)
{
    int exponent = (int)(a >> 52 & TOP) - BIAS - 52;
    uint64_t mantissa = (a & (leading - 1)) | leading;
    *whole = 0;
    *has_more = !is_zero(a);
    if (exponent > 11)
        return false;
    if (exponent <= -53) /* below 1 */
        return true;
    *whole = exponent < 0 ? mantissa >> -exponent : mantissa << exponent;
    *has_more = exponent < 0 && mantissa << (64 + exponent) != 0;
    return true;
}

bool softfloat_scale(uint64_t a, uint64_t factor, uint64_t *result)
{
    uint64_t product =
        factor == 1 ? a : softfloat_multiply(a, softfloat_from_integer(factor, false));
    uint64_t limit = (uint64_t)INT64_MAX + (product >> 63);
    bool has_more;
    if (!cut_off(product, result, &has_more) || *result > limit) /* as what is not finite is */
        return false;
    if (product >> 63)
        *result = -*result;
    return true;
}

/* ---- Comparisons. ---- */

int softfloat_compare(uint64_t a, uint64_t b)
{
    int64_t one = softfloat_order(a), other = softfloat_order(b);
    return softfloat_is_nan(a) || softfloat_is_nan(b) ? SOFTFLOAT_UNORDERED
                                                      : (one > other) - (one < other);
}

int softfloat_compare_integer(uint64_t a, uint64_t number, bool is_signed)
{
    bool is_negative = a >> 63 && !is_zero(a), is_other = is_signed && number >> 63;
    uint64_t whole, magnitude = is_other ? -number : number;
    bool has_more;
    if (softfloat_is_nan(a))
        return SOFTFLOAT_UNORDERED;
    if (is_negative != is_other)
        return is_negative ? -1 : 1;
    int order = !cut_off(a, &whole, &has_more) || whole > magnitude ? 1
                : whole < magnitude                                 ? -1
                                                                    : has_more;
    return is_negative ? -order : order;
}
