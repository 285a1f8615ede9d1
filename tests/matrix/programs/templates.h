// SPDX-License-Identifier: BSD-2-Clause
// Functions that every C++ object of the program has its own copy of, in COMDAT groups.
#ifndef MATRIX_TEMPLATES_H
#define MATRIX_TEMPLATES_H

#include "matrix.h"

template <class T> NOINLINE T templated(T x)
{
    SITE3(templated, static_cast<long>(x), static_cast<long>(sizeof(T)), 1);
    if (x > T(2))
        SITE3(templated, static_cast<long>(x), 0, 2);
    return static_cast<T>(x + x);
}

// Only instantiated by functions that are never called.
template <class T> NOINLINE T dead_template(T x)
{
    SITE1(dead__template, static_cast<long>(x));
    return x;
}

struct shape {
    int sides;
    explicit shape(int n) : sides(n) {}
    virtual ~shape();
    virtual int corners(int x)
    {
        SITE1(virtual__, x);
        return sides + x;
    }
    int in_class(int x)
    {
        SITE1(in__class, x);
        return x - sides;
    }
};

#if !defined(MATRIX_THROWS)
#define MATRIX_THROWS 1
#endif

// Its destructor's site is also reached while an exception passes.
struct guard {
    int n;
    explicit guard(int x) : n(x) {}
    ~guard()
    {
        SITE1(destroyed, n);
    }
};

// Each object has one of its own, to throw through either form.
template <int Object> NOINLINE int thrower(int x)
{
    guard g(x);
    SITE1(thrown, x);
    if (MATRIX_THROWS && (x & 1))
        throw x;
    return x;
}

#endif
