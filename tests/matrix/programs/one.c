/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes in C, inline: every number of arguments, loops, cold and startup text, dead functions. */
#include "dozen.h"

volatile struct matrix_state matrix;
HIDDEN volatile int matrix_value;

MATRIX_EXPORT volatile struct matrix_state *matrix_state(void);
MATRIX_EXPORT void matrix_round(int n);

/* These are never called. */
HIDDEN void dead_c(int x);
HIDDEN int dead_alone(int x);

/* Small and of constant length: unrolled, and each copy is a site. */
NOINLINE static void loop(long n)
{
    for (long i = 0; i < 3; i++)
        SITE3(loop, n, i, n * i);
}

__attribute__((cold, noinline)) static void cold(int n)
{
    SITE1(cold, n);
    matrix_value += n;
}

__attribute__((section("matrix_text"), noinline)) static void section(int n)
{
    SITE1(section, n);
}

__attribute__((constructor)) static void start(void)
{
    SITE0(start);
}

/* Inlined by the optimiser, with and without a constant argument. */
static int pair(int a, int b)
{
    if (a > b)
        SITE3(pair, a, b, 1);
    else
        SITE3(pair, b, a, -1);
    return a + b;
}

/* The driver asks for these two to be folded, and the two after them not. */
HIDDEN NOINLINE void fold_1(int x)
{
    SDT_PROBE(matrix, fold, x);
    MATRIX_MARK(MATRIX_fold);
}

HIDDEN NOINLINE void fold_2(int x)
{
    SDT_PROBE(matrix, fold, x);
    MATRIX_MARK(MATRIX_fold);
}

HIDDEN NOINLINE void twin_a(int x)
{
    SDT_PROBE(matrix, twin__a, x);
    MATRIX_MARK(MATRIX_TWIN);
}

HIDDEN NOINLINE void twin_b(int x)
{
    SDT_PROBE(matrix, twin__b, x);
    MATRIX_MARK(MATRIX_TWIN);
}

HIDDEN void dead_c(int x)
{
    SITE1(dead__c, x);
}

HIDDEN int dead_alone(int x)
{
    if (ASK(dead__c))
        SITE1(dead__c, x);
    return shared_inline(x);
}

HIDDEN void matrix_one(int n)
{
    SITE0(none);
    SITE1(one, n);
    if (n < 0)
        cold(n);
    matrix_value = pair(n, 3) + pair(2, 9) + shared_inline(n);
    if (ASK(asked))
        SITE1(asked, n);
    dozen(n);
    loop(n);
    section(n);
    cold(n);
    MATRIX_EXPECT(fold, 1, n, 0, 0);
    fold_1(n);
    MATRIX_EXPECT(fold, 1, n + 1, 0, 0);
    fold_2(n + 1);
    MATRIX_EXPECT(twin__a, 1, n, 0, 0);
    twin_a(n);
    MATRIX_EXPECT(twin__b, 1, n, 0, 0);
    twin_b(n);
}

MATRIX_EXPORT volatile struct matrix_state *matrix_state(void)
{
    return &matrix;
}

MATRIX_EXPORT void matrix_round(int n)
{
    matrix_one(n);
    matrix_two(n);
#if !defined(MATRIX_WITHOUT_CXX)
    matrix_three(n);
    matrix_four(n);
#endif
    matrix_forms(n);
}
