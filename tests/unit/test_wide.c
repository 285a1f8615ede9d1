/* SPDX-License-Identifier: BSD-2-Clause */
/* Division and conversion of 128 bits without libgcc, beside what the compiler makes of them. */
#include "check.h"
#include "shared/wide.h"

/* Numbers around every power of two. */
static wide_unsigned near_power(unsigned power, int distance)
{
    return ((wide_unsigned)1 << power) + (wide_unsigned)(__int128)distance;
}

static void check_pair(__int128 a, __int128 b)
{
    wide_unsigned rest_of_sizes;
    __int128 rest;
    if (b == 0)
        return;
    wide_unsigned quotient = wide_divide_sizes((wide_unsigned)a, (wide_unsigned)b, &rest_of_sizes);
    CHECK(quotient == (wide_unsigned)a / (wide_unsigned)b);
    CHECK(rest_of_sizes == (wide_unsigned)a % (wide_unsigned)b);
    if (b == -1) /* the smallest number has no quotient */
        return;
    CHECK(wide_divide(a, b, &rest) == a / b);
    CHECK(rest == a % b);
}

static void check_number(__int128 number)
{
    CHECK(wide_real(number) == (long double)number);
}

int main(void)
{
    for (unsigned i = 0; i < 128; i++)
        for (int one_away = -2; one_away <= 2; one_away++) {
            __int128 a = (__int128)near_power(i, one_away);
            check_number(a);
            check_number((__int128)(0 - (wide_unsigned)a)); /* the smallest is its own negative */
            for (unsigned k = 0; k < 128; k++)
                check_pair(a, (__int128)near_power(k, one_away + 1));
        }
    uint64_t state = 1;
    for (int i = 0; i < 100000; i++) {
        wide_unsigned numbers[2] = {0};
        for (int k = 0; k < 4; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            numbers[k / 2] = numbers[k / 2] << 64 | state;
        }
        check_pair((__int128)numbers[0], (__int128)(numbers[1] >> state % 127));
        check_number((__int128)numbers[0]);
    }
    return check_failures != 0;
}
