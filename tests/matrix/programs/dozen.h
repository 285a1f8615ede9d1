/* SPDX-License-Identifier: BSD-2-Clause */
/* As many arguments as a probe may have, for one.c and two.c. */
#include "matrix.h"

NOINLINE static void dozen(int n)
{
    int8_t tiny = (int8_t)-n;
    uint16_t small = (uint16_t)(65535 - n);
    int64_t huge = INT64_MIN + n;
    double precise = 1.5 * n;
    union {
        double number;
        uint64_t bits;
    } as_bits = {precise};
    MATRIX_EXPECT(dozen, 12, (int64_t)tiny, small, huge);
    matrix.args[3] = as_bits.bits;
    for (int i = 4; i < 12; i++)
        matrix.args[i] = (uint64_t)(n + i);
    SDT_PROBE(matrix, dozen, tiny, small, huge, precise, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9,
              n + 10, n + 11);
    MATRIX_MARK(MATRIX_dozen);
}
