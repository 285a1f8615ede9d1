// SPDX-License-Identifier: BSD-2-Clause
// A second C++ object with copies of the same functions, of which the linker keeps one; calls.
#define SDT_CALL_SITES
#include "templates.h"

HIDDEN long dead_four(long x);

namespace
{
struct triangle : shape {
    triangle() : shape(3) {}
    int corners(int x)
    {
        SITE1(virtual__, x + 3);
        return x;
    }
};
} // namespace

HIDDEN long dead_four(long x)
{
    SITE1(dead__cxx, x);
    return dead_template(x);
}

extern "C" HIDDEN void matrix_four(int n)
{
    triangle t;
    shape *volatile p = &t;
    templated(static_cast<long>(n));
    templated(n);
    p->corners(n);
    p->in_class(n);
    try {
        thrower<4>(n | 1);
    } catch (int x) {
        shared_inline(x);
    }
}
