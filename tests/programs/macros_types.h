/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One probe a scalar type, named after it, in C and C++. The value is chosen so that a wrong
 * extension shows: negative where the type is signed, its top bit set where it is not.
 * tests/headers/test_macros.py holds the expected type bytes and words.
 */
#include <sdt/probe.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum small { SMALL_ZERO, SMALL_TWO = 2 };
enum negative { NEGATIVE = -3, POSITIVE = 3 };
struct opaque;
struct bits {
    unsigned u : 3;
    int s : 5;
    unsigned long wide : 40;
};

void scalars(void);
void pointers(struct opaque *opaque, void (*function)(void));
void bit_fields(const struct bits *bits);

void scalars(void)
{
    const volatile unsigned short qualified = 0xfffe;
    enum small small = SMALL_TWO;
    enum negative negative = NEGATIVE;
    bool yes = true;
    char plain = -2;
    signed char schar = -3;
    unsigned char uchar = 0xfd;
    short sshort = -4;
    unsigned short ushort_ = 0xfffc;
    int sint = -5;
    unsigned uint_ = 0xfffffffbu;
    long slong = -6;
    unsigned long ulong_ = 0xfffffffffffffffaul;
    float real = -1.5f;
    const double real2 = 2.25;
    size_t size = 7;
    int64_t i64 = -8;
    uint8_t u8 = 0x88;

    SDT_PROBE(types, yes, yes);
    SDT_PROBE(types, plain, plain);
    SDT_PROBE(types, schar, schar);
    SDT_PROBE(types, uchar, uchar);
    SDT_PROBE(types, sshort, sshort);
    SDT_PROBE(types, ushort, ushort_);
    SDT_PROBE(types, qualified, qualified);
    SDT_PROBE(types, sint, sint);
    SDT_PROBE(types, uint, uint_);
    SDT_PROBE(types, slong, slong);
    SDT_PROBE(types, ulong, ulong_);
    SDT_PROBE(types, real, real);
    SDT_PROBE(types, real2, real2);
    SDT_PROBE(types, size, size);
    SDT_PROBE(types, i64, i64);
    SDT_PROBE(types, u8, u8);
    SDT_PROBE(types, small, small);
    SDT_PROBE(types, negative, negative);
    SDT_PROBE(types, promoted, uchar + sshort);
    SDT_PROBE(types, comparison, (unsigned char)(sint < 0));
}

void pointers(struct opaque *opaque, void (*function)(void))
{
    int array[3] = {1, 2, 3};
    const char *const string = "string";

    SDT_PROBE(pointers, opaque, opaque);
    SDT_PROBE(pointers, function, function);
    SDT_PROBE(pointers, decayed_function, scalars);
    SDT_PROBE(pointers, array, array);
    SDT_PROBE(pointers, literal, "literal");
    SDT_PROBE(pointers, string, string);
    SDT_PROBE(pointers, handle, &array[1]);
    SDT_PROBE(pointers, null, (void *)0);
}

void bit_fields(const struct bits *bits)
{
    SDT_PROBE(bits, u, bits->u);
    SDT_PROBE(bits, s, bits->s);
    SDT_PROBE(bits, wide, bits->wide);
}
