/* SPDX-License-Identifier: BSD-2-Clause */
/* Markers in every kind of place; C and C++. */
#include <sdt/marker.h>

#ifdef __cplusplus
extern "C" {
#endif
double busy(const double *values, int count);
int ends(int which);
void turns(int count);
int unused(int x);
#ifdef __cplusplus
}
#endif

static __inline__ void small(void)
{
    MARKER(small);
}

/* The compiler saves what lives in registers around each marker, which are in a row. */
double busy(const double *values, int count)
{
    double a = 0, b = 1, c = 2, d = 3, e = 4;
    int i;
    for (i = 0; i < count; i++) {
        a += values[i] * b;
        MARKER(busy);
        MARKER(busy);
        b += a * c;
        c += b - d;
        MARKER(busy);
        d += c * e;
        e += a;
    }
    return a + b + c + d + e;
}

/* Two ways that end alike. */
int ends(int which)
{
    if (which) {
        small();
        MARKER(end);
    } else {
        MARKER(end);
    }
    return which;
}

/* May be unrolled. */
void turns(int count)
{
    int i;
    for (i = 0; i < (count ? 4 : 2); i++)
        MARKER(turn);
    small();
}

/* It is never called. */
int unused(int x)
{
    MARKER(unused);
    return x + 1;
}
