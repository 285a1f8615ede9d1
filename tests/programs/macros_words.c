/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stub that prints the words it was called with: the test links every probe's symbol to it, so
 * that the words are seen without sdtlink or the runtime. It prints twelve words whatever the
 * count; the test knows how many of them were passed.
 */
#include <stdio.h>

void scalars(void);
void pointers(void *opaque, void (*function)(void));
void bit_fields(const void *bits);
void counts(long a);

void record(unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e,
            unsigned long f, unsigned long g, unsigned long h, unsigned long i, unsigned long j,
            unsigned long k, unsigned long l);
void record(unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e,
            unsigned long f, unsigned long g, unsigned long h, unsigned long i, unsigned long j,
            unsigned long k, unsigned long l)
{
    printf("%lx %lx %lx %lx %lx %lx %lx %lx %lx %lx %lx %lx\n", a, b, c, d, e, f, g, h, i, j, k, l);
}

int main(void)
{
    struct {
        unsigned u : 3;
        int s : 5;
        unsigned long wide : 40;
    } bits = {5, -3, 0xfffffffffful};

    scalars();
    pointers((void *)0x1234, (void (*)(void))0x5678);
    bit_fields(&bits);
    counts(-2);
    return 0;
}
