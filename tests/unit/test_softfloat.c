/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calculating with doubles in general registers: what the processor makes of the same numbers, bit
 * for bit; of a NaN, that it is one. All pairs of numbers at the edges of what there is, and some
 * millions at random, of which many are close to each other or to where rounding changes.
 */
#include "check.h"
#include "real.h"

#include <bytecode/softfloat.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

static uint64_t state = 11;

static uint64_t any_word(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

static int same(uint64_t soft, double hard)
{
    return isnan(hard) ? softfloat_is_nan(soft) : soft == bits_of(hard);
}

static void wrong(const char *what, uint64_t a, uint64_t b, uint64_t soft)
{
    if (check_failures++ < 20)
        printf("%a %s %a: %a\n", real_of(a), what, real_of(b), real_of(soft));
}

/* In the order of C. */
static int order_of(double a, double b)
{
    return isnan(a) || isnan(b) ? SOFTFLOAT_UNORDERED : (a > b) - (a < b);
}

static unsigned specials, finites;

static void check_pair(uint64_t a, uint64_t b)
{
    volatile double one = real_of(a), other = real_of(b), sum = one + other, rest = one - other,
                    product = one * other, quotient = one / other;
    if (!same(softfloat_add(a, b), sum))
        wrong("+", a, b, softfloat_add(a, b));
    if (!same(softfloat_subtract(a, b), rest))
        wrong("-", a, b, softfloat_subtract(a, b));
    if (!same(softfloat_multiply(a, b), product))
        wrong("*", a, b, softfloat_multiply(a, b));
    if (!same(softfloat_divide(a, b), quotient))
        wrong("/", a, b, softfloat_divide(a, b));
    if (softfloat_compare(a, b) != order_of(one, other))
        wrong("<=>", a, b, 0);
    uint64_t quick = 0;
    bool is_quick = softfloat_multiply_quickly(a, b, &quick);
    if (is_quick ? !same(quick, product)
                 : isnormal(one) && isnormal(other) && isnormal(product) && fabs(product) > DBL_MIN)
        wrong("* quickly", a, b, quick);
    if (!isnan(one) && !isnan(other) && (softfloat_order(a) < softfloat_order(b)) != (one < other))
        wrong("in order", a, b, 0);
    if (isnormal(product) && isnormal(quotient))
        finites++;
    else
        specials++;
}

/* ---- Numbers that are interesting. ---- */

enum { MAX_EDGES = 1024 };
static uint64_t edge[MAX_EDGES];
static unsigned edges;

static void add_edge(uint64_t bits)
{
    for (unsigned sign = 0; sign < 2; sign++)
        edge[edges++] = bits | (uint64_t)sign << 63;
}

/* Around exponents where something changes, mantissas of few ones and of few zeros. */
static void find_edges(void)
{
    static const unsigned exponents[] = {0,    1,    2,    52,   53,   1022, 1023, 1024,
                                         1074, 1075, 1076, 1086, 2045, 2046, 2047};
    static const uint64_t mantissas[] = {0,
                                         1,
                                         2,
                                         3,
                                         0x8000000000000,
                                         0x7ffffffffffff,
                                         0x8000000000001,
                                         0xfffffffffffff,
                                         0xffffffffffffe,
                                         0x5555555555555,
                                         0x0000003ffffff};
    for (unsigned i = 0; i < sizeof exponents / sizeof *exponents; i++)
        for (unsigned k = 0; k < sizeof mantissas / sizeof *mantissas; k++)
            add_edge((uint64_t)exponents[i] << 52 | mantissas[k]);
}

static uint64_t any_number(void)
{
    uint64_t word = any_word();
    switch (any_word() % 4) {
    case 0:
        return edge[word % edges];
    case 1: /* near 1, with few bits: exact results, and halves */
        return (word & (UINT64_C(1) << 63)) | (1023 - 32 + (word >> 8) % 64) << 52 |
               (word & 0xff) << 44;
    case 2: /* with long runs of ones and zeros */
        return word ^ (uint64_t)((int64_t)(word << 12) >> (word & 63)) >> 12;
    default:
        return word;
    }
}

static void check_arithmetic(void)
{
    for (unsigned i = 0; i < edges; i++)
        for (unsigned k = 0; k < edges; k++)
            check_pair(edge[i], edge[k]);
    for (unsigned i = 0; i < 4000000; i++) {
        uint64_t a = any_number(), b = any_number();
        check_pair(a, b);
        check_pair(a, (a ^ UINT64_C(1) << 63) + any_word() % 8); /* what is left is tiny */
    }
    CHECK(specials > 1000000 && finites > 1000000);
}

/* ---- Conversions. ---- */

static void check_integer(uint64_t number, double real)
{
    uint64_t bits = bits_of(real), cut = 77, quick = 0;
    long double exact = real;
    bool fits = real >= -0x1p63 && real < 0x1p63;
    CHECK(same(softfloat_from_integer(number, true), (double)(int64_t)number));
    CHECK(same(softfloat_from_integer(number, false), (double)number));
    CHECK(softfloat_from_integer_quickly(number, false, &quick)
              ? number < UINT64_C(1) << 53 && same(quick, (double)number)
              : !number || number >> 53);
    CHECK(softfloat_from_integer_quickly(number, true, &quick)
              ? same(quick, (double)(int64_t)number)
              : !number || (number >> 53 && -number >> 53));
    CHECK(softfloat_scale(bits, 1, &cut) == fits);
    CHECK(!fits || (int64_t)cut == (int64_t)real);
    CHECK(softfloat_compare_integer(bits, number, true) ==
          (isnan(real) ? SOFTFLOAT_UNORDERED
                       : (exact > (int64_t)number) - (exact < (int64_t)number)));
    CHECK(softfloat_compare_integer(bits, number, false) ==
          (isnan(real) ? SOFTFLOAT_UNORDERED : (exact > number) - (exact < number)));
}

static void check_integers(void)
{
    for (unsigned i = 0; i < 1000000 && check_failures < 20; i++) {
        uint64_t number = any_word() >> any_word() % 64;
        number = any_word() % 2 ? number : -number;
        check_integer(number, real_of(any_number()));
        check_integer(number, (double)number);
        check_integer(number, (double)(int64_t)number);
        check_integer(number, nextafter((double)(int64_t)number, 0));
        check_integer(number, (double)(int64_t)(number >> 20) + 0.5);
    }
    for (unsigned i = 0; i < edges; i++)
        check_integer(UINT64_C(1) << i % 64, real_of(edge[i]));
}

static void check_scales(void)
{
    uint64_t result;
    CHECK(softfloat_scale(bits_of(0.7), 10, &result) && result == 7);
    CHECK(softfloat_scale(bits_of(-0.7), 1000, &result) && (int64_t)result == -700);
    CHECK(softfloat_scale(bits_of(1e300), 0, &result) && result == 0);
    CHECK(!softfloat_scale(bits_of(1e300), 10, &result));
    CHECK(!softfloat_scale(bits_of((double)INFINITY), 0, &result));
    CHECK(!softfloat_scale(bits_of((double)NAN), 1, &result));
}

static void check_floats(void)
{
    for (unsigned i = 0; i < 1000000; i++) {
        uint32_t bits = (uint32_t)any_word();
        bits = i % 4 ? bits : bits & 0x807fffff; /* subnormal */
        float narrow;
        memcpy(&narrow, &bits, sizeof narrow);
        CHECK(same(softfloat_from_float(bits), narrow));
    }
}

/* NaNs are beyond both infinities. */
static void check_order(void)
{
    int64_t infinity = softfloat_order(bits_of((double)INFINITY));
    CHECK(softfloat_order(bits_of(-0.0)) == 0 && softfloat_order(0) == 0);
    CHECK(softfloat_order(bits_of(-(double)INFINITY)) == -infinity);
    for (unsigned i = 0; i < edges; i++) {
        int64_t order = softfloat_order(edge[i]);
        CHECK((order < -infinity || order > infinity) == isnan(real_of(edge[i])));
    }
}

int main(void)
{
    CHECK(fegetround() == FE_TONEAREST);
    find_edges();
    check_arithmetic();
    check_integers();
    check_scales();
    check_floats();
    check_order();
    return check_failures != 0;
}
