/* SPDX-License-Identifier: BSD-2-Clause */
/* A second object with the same probes, as calls, and other dead functions. */
#define SDT_CALL_SITES
#include "dozen.h"

HIDDEN extern volatile int matrix_value;
HIDDEN int dead_two(int x);

/* A table of branches in front of sites of one probe. */
NOINLINE static int table(int n)
{
    switch (n & 7) {
    case 0:
        SITE3(pair, n, 0, 100);
        return 8;
    case 1:
        SITE3(pair, n, 1, -100);
        return 3;
    case 2:
        SITE3(pair, n, 2, INT64_MAX);
        return 5;
    case 3:
        SITE1(one, n);
        return 9;
    case 4:
        SITE0(none);
        return 1;
    default:
        return shared_inline(n);
    }
}

HIDDEN int dead_two(int x)
{
    SITE1(dead__c, x);
    return x + 1;
}

HIDDEN void matrix_two(int n)
{
    for (int i = 0; i < 8; i++)
        matrix_value += table(n + i);
    if (ASK(asked) && n > 0)
        SITE1(asked, -n);
    matrix_value += shared_inline(n + 7) + shared_inline(n + 8);
    dozen(n);
}
