/* SPDX-License-Identifier: BSD-2-Clause */
/* A double, and the 64 bits that it is. */
#ifndef UNIT_REAL_H
#define UNIT_REAL_H

#include <stdint.h>
#include <string.h>

static inline double real_of(uint64_t bits)
{
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

static inline uint64_t bits_of(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

#endif
