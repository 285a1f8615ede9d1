/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Plain calls, as sources without <sdt/probe.h> make them: with optimisation they become jumps, and
 * with clang -Os conditional jumps; with -fno-plt they go through the GOT.
 */
#include "matrix.h"

extern void __dtrace_sdt_matrix___form__call(long, long);
extern void __dtrace_sdt_matrix___form__tail(long, long);
extern void __dtrace_sdt_matrix___form__branch(long, long);
extern void __dtrace_sdt_matrix___form__arm(long, long);
extern void __dtrace_sdt_matrix___form__cold(long, long);
extern int __dtrace_sdtenabled_matrix___form__asked(void);

HIDDEN void form_call(long a, long b);
HIDDEN void form_tail(long a, long b);
HIDDEN void form_branch(long a, long b);
HIDDEN void form_arms(long a, long b);
HIDDEN void form_cold(long a, long b);
HIDDEN int form_asked(void);
HIDDEN int form_asked_last(void);

HIDDEN extern volatile int matrix_value;

HIDDEN NOINLINE void form_call(long a, long b)
{
    MATRIX_EXPECT(form__call, 2, a, b, 0);
    __dtrace_sdt_matrix___form__call(a, b);
    matrix_value++;
}

HIDDEN NOINLINE void form_tail(long a, long b)
{
    MATRIX_EXPECT(form__tail, 2, a, b, 0);
    __dtrace_sdt_matrix___form__tail(a, b);
}

/* Nothing but the call depends on the condition: clang jumps to the probe conditionally. */
HIDDEN NOINLINE void form_branch(long a, long b)
{
    int odd = matrix_value & 1;
    MATRIX_EXPECT(form__branch, 2, a, b, 0);
    matrix.ran[MATRIX_form__branch] = matrix.ran[MATRIX_form__branch] - (odd == 0);
    if (odd)
        __dtrace_sdt_matrix___form__branch(a, b);
}

/* Two calls, that gcc makes one of. */
HIDDEN NOINLINE void form_arms(long a, long b)
{
    if (matrix_value & 1) {
        MATRIX_EXPECT(form__arm, 2, a, b, 0);
        __dtrace_sdt_matrix___form__arm(a, b);
    } else {
        MATRIX_EXPECT(form__arm, 2, b, a, 0);
        __dtrace_sdt_matrix___form__arm(b, a);
    }
}

__attribute__((cold, noinline)) HIDDEN void form_cold(long a, long b)
{
    MATRIX_EXPECT(form__cold, 2, a, b, 0);
    __dtrace_sdt_matrix___form__cold(a, b);
}

HIDDEN NOINLINE int form_asked(void)
{
    return __dtrace_sdtenabled_matrix___form__asked() ? 7 : 3;
}

HIDDEN NOINLINE int form_asked_last(void)
{
    return __dtrace_sdtenabled_matrix___form__asked();
}

static void form_answer(unsigned long yes)
{
    matrix.asked[MATRIX_form__asked] = matrix.asked[MATRIX_form__asked] + 1;
    matrix.answered[MATRIX_form__asked] = matrix.answered[MATRIX_form__asked] + yes;
}

HIDDEN void matrix_forms(long n)
{
    for (int i = 0; i < 2; i++) {
        form_call(n, i);
        form_tail(n, -i);
        matrix_value = i;
        form_branch(n, 1000 + i);
        matrix_value = i;
        form_arms(n, 2000 + i);
        form_cold(n, i);
        form_answer(form_asked() == 7);
        form_answer((unsigned long)form_asked_last());
    }
}
