/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One probe a type, named after it, in C and C++. The value is chosen so that a wrong size or sign
 * shows. tests/headers/test_compat.py holds what each must be. With ORIGINAL, only what SystemTap's
 * header compiles. With MEMORY the values are in memory, otherwise in registers.
 */
#include <sys/sdt.h>

#include <stdbool.h>
#include <stddef.h>

#if defined(MEMORY)
#define HIDE(x) __asm__ volatile("" : "+m"(x))
#else
#define HIDE(x) __asm__ volatile("" : "+r"(x))
#endif
#define PROBE(name, type, value)                                                                   \
    do {                                                                                           \
        type x = value;                                                                            \
        HIDE(x);                                                                                   \
        STAP_PROBE1(types, name, x);                                                               \
    } while (0)

enum small { SMALL_ZERO, SMALL_TWO = 2 };
enum negative { NEGATIVE = -3, POSITIVE = 3 };
struct bits {
    unsigned u : 3;
    int s : 5;
    unsigned long wide : 40;
};
struct word {
    int value;
};

static void integers(void)
{
    PROBE(yes, bool, true);
    PROBE(plain, char, -2);
    PROBE(schar, signed char, -3);
    PROBE(uchar, unsigned char, 0xfd);
    PROBE(sshort, short, -4);
    PROBE(ushort, unsigned short, 0xfffc);
    PROBE(sint, int, -5);
    PROBE(uint, unsigned, 0xfffffffbu);
    PROBE(slong, long, -6);
    PROBE(ulong, unsigned long, 0xfffffffffffffffaul);
    PROBE(llong, long long, -7);
    PROBE(ullong, unsigned long long, 0xfffffffffffffff9ull);
    PROBE(small, enum small, SMALL_TWO);
    PROBE(negative, enum negative, NEGATIVE);
    PROBE(wide, wchar_t, L'w');
    STAP_PROBE1(types, constant, -9);
    STAP_PROBE1(types, big, 0x123456789abcl);
    STAP_PROBE1(types, character, (char)'c');
}

static void derived(int n)
{
    const volatile unsigned short qualified = 0xfffe;
    char array[8] = "array";
    const char *const pointer = "pointer";
    void (*function)(void) = integers;
    struct word word = {n};

    STAP_PROBE1(types, qualified, qualified);
    STAP_PROBE1(types, pointer, pointer);
    STAP_PROBE1(types, function, function);
    STAP_PROBE1(types, null, (void *)0);
    STAP_PROBE1(types, array, array);
    STAP_PROBE1(types, literal, "literal");
    STAP_PROBE1(types, word, word);
    STAP_PROBE1(types, sum, (char)n + (short)n);
}

static void reals(void)
{
    PROBE(real, float, -1.5f);
    PROBE(real2, double, 2.25);
    STAP_PROBE1(types, real_constant, 1.5);
}

#if !defined(ORIGINAL)
static void extended(const struct bits *bits)
{
    STAP_PROBE1(types, bit_u, bits->u);
    STAP_PROBE1(types, bit_s, bits->s);
    STAP_PROBE1(types, bit_wide, bits->wide);
    STAP_PROBE1(types, decayed_function, integers);
}
#endif

#if defined(__cplusplus)
enum class scoped : unsigned char { value = 200 };
enum class scoped_int { value = -8 };

template <typename T> static void instance(T value, const T &reference)
{
    STAP_PROBE2(types, instance, value, reference);
}

static void modern(int n)
{
    PROBE(scoped, scoped, scoped::value);
    PROBE(scoped_int, scoped_int, scoped_int::value);
    PROBE(c16, char16_t, 0xfff6);
    PROBE(c32, char32_t, 0xfffffff6);
    STAP_PROBE1(types, nothing, nullptr);
    instance<short>((short)-n, (short)n);
    instance<long>(-n, n);
}
#endif

int main(int argc, char **argv)
{
    struct bits bits = {5, -3, 0xffffffffff};

    (void)argv;
    integers();
    derived(argc);
    reals();
#if !defined(ORIGINAL)
    HIDE(argc);
    bits.s = -2 - argc;
    extended(&bits);
#else
    (void)bits;
#endif
#if defined(__cplusplus)
    modern(argc);
#endif
    return 0;
}
