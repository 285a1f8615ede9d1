/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See tests.h: those of doubles. What needs rounding of rare kinds is out of line, and last, so
 * that nothing has to be kept for afterwards.
 *
 * This file is compiled for general registers only.
 */
#include "tests.h"

#include "softfloat.h"

static inline bool has_order(const struct quick_test *test, uint64_t real)
{
    return range_has(&test->range, (uint64_t)softfloat_order(real));
}

static inline __attribute__((always_inline)) uint64_t real_of(const struct sdt_event *event,
                                                              const struct quick_real *of)
{
    uint64_t value = tests_argument(event, of->argument), real;
    bool is_signed = of->type == LIVE_SIGNED;
    if (of->type == LIVE_REAL)
        return value;
    return softfloat_from_integer_quickly(value, is_signed, &real)
               ? real
               : softfloat_from_integer(value, is_signed);
}

static __attribute__((noinline)) bool multiply_slowly(const struct quick_test *test, uint64_t a,
                                                      uint64_t b)
{
    return has_order(test, softfloat_multiply(a, b));
}

static inline bool multiply(const struct quick_test *test, uint64_t a, uint64_t b)
{
    uint64_t product;
    return softfloat_multiply_quickly(a, b, &product) ? has_order(test, product)
                                                      : multiply_slowly(test, a, b);
}

static bool holds_of_integer(const struct sdt_event *event, const struct quick_test *test)
{
    return tests_hold_integer(event, test);
}

static bool holds_of_real(const struct sdt_event *event, const struct quick_test *test)
{
    return has_order(test, tests_argument(event, test->real[0].argument));
}

static bool holds_of_square(const struct sdt_event *event, const struct quick_test *test)
{
    uint64_t a = real_of(event, &test->real[0]);
    return multiply(test, a, a);
}

static bool holds_of_product(const struct sdt_event *event, const struct quick_test *test)
{
    uint64_t a = real_of(event, &test->real[0]), b = real_of(event, &test->real[1]);
    return multiply(test, a, b);
}

quick_holds *tests_function(enum quick_kind kind)
{
    return kind == QUICK_INTEGER  ? holds_of_integer
           : kind == QUICK_REAL   ? holds_of_real
           : kind == QUICK_SQUARE ? holds_of_square
                                  : holds_of_product;
}
