// SPDX-License-Identifier: BSD-2-Clause
// Probes in C++, inline: templates, inline and virtual functions, lambdas, and exceptions that pass
// them.
#include "templates.h"

HIDDEN int dead_cxx(int x);

shape::~shape()
{
    SITE1(destroyed, sides);
}

HIDDEN int dead_cxx(int x)
{
    SITE1(dead__cxx, x);
    return dead_template(x);
}

extern "C" HIDDEN void matrix_three(int n)
{
    int sum = templated(n) + static_cast<int>(templated(static_cast<short>(n)));
    shape s(4);
    shape *volatile p = &s;
    sum += p->corners(n) + p->in_class(sum);
    for (int i = 0; i < 2; i++) {
        try {
            sum += thrower<3>(n + i);
        } catch (int x) {
            sum += shared_inline(x);
        }
    }
    auto lambda = [&](int x) {
        SITE1(lambda, x);
        return x + sum;
    };
    lambda(sum);
}
