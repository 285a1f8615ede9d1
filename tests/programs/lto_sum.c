/* SPDX-License-Identifier: BSD-2-Clause */
#include "lto_program.h"

int sum_of(const int *v, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        MARKED(add, 6, i, v[i]);
        sum += v[i];
    }
    return scale(sum);
}
