/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/values.h> -- a part of <sdt/probe.h>: what the arguments of a probe are. Do not include it
 * yourself; all names in it are internal.
 *
 *   SDT_KEEP_(i, x)     declarations for argument number i, an expression x: what keeps its value,
 *                       and the check that it is a scalar
 *   SDT_SET_(i, x)      its evaluation; nothing in C, where the declaration does it
 *   SDT_PREPARE_(i, x)  for a call: declarations for SDT_WORD_, and the same check
 *   SDT_TYPE_(i, x)     its type byte (enum sdt_arg_type in <sdt/format.h>), as a constant
 *   SDT_BITS_(i)        its value as an integer of its own size, for an inline site
 *   SDT_WORD_(i, x)     its value as one 64-bit word, for a call
 *   SDT_PLACE_(i)       its variable, for an operand in memory
 *   SDT_PLACE_IF_LONG_(i)
 *                       the same of one of 64 bits, else something in memory that takes no register
 *   SDT_IS_POINTER_(i, x)
 *   SDT_CHECKED_(i, x)  only the check, for <sdt/nothing.h>
 *   SDT_DIALECT_QUIET_, SDT_DIALECT_LOUD_
 *                       around all of these
 *
 * A probe must not cost more time to compile than other code, and compile time grows with each
 * token. So x, which may be long, is written as rarely as possible: everything else uses the
 * variable. When every test was of x, three arguments expanded to 12 to 24 KB of text.
 */
#ifndef SDT_VALUES_H
#define SDT_VALUES_H

#if !defined(SDT_PROBE_H)
#error "include <sdt/probe.h>"
#endif

#if defined(__cplusplus)
#define SDT_SAY_SCALAR_                                                                            \
    " must be an integer, enum, bool, pointer, float, double, std::string, std::string_view or"    \
    " std::chrono duration (of another object pass a member or its address, of a std::atomic"      \
    " .load(), of a std::vector SDT_BYTES of data and size)"
#else
#define SDT_SAY_SCALAR_                                                                            \
    " must be an integer, enum, bool, pointer, float or double (of a struct pass a field or its"   \
    " address)"
#endif

/* What gcc and clang call the class of a type: 1 to 4 integers, 5 pointers, 8 floating point. */
#define SDT_CLASS_(x) __builtin_classify_type(x)

/* The same bytes as an integer. */
typedef unsigned int __attribute__((__may_alias__)) sdt_bits4_;
typedef __UINT64_TYPE__ __attribute__((__may_alias__)) sdt_bits8_;

/*
 * clang's -Weverything warns of what other dialects do not have, also in a system header's macro;
 * in C99, glibc makes a structure with padding of each static assertion.
 */
#if defined(__clang__) && !defined(__cplusplus)
#define SDT_DIALECT_QUIET_                                                                         \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc++98-compat\"")        \
        SDT_C99_QUIET_ SDT_C11_QUIET_
#if __STDC_VERSION__ < 201112L
#define SDT_C99_QUIET_ _Pragma("clang diagnostic ignored \"-Wpadded\"")
#else
#define SDT_C99_QUIET_
#endif
#if __has_warning("-Wpre-c11-compat")
#define SDT_C11_QUIET_ _Pragma("clang diagnostic ignored \"-Wpre-c11-compat\"")
#else
#define SDT_C11_QUIET_
#endif
#define SDT_DIALECT_LOUD_ _Pragma("clang diagnostic pop")
#else
#define SDT_DIALECT_QUIET_
#define SDT_DIALECT_LOUD_
#endif

#if !defined(__cplusplus)

/*
 * C. Every branch of a selection must compile, also those not taken, so anything but a scalar
 * becomes 0 before anything else uses it. The comma makes arrays decay to pointers, and __auto_type
 * needs it for a bit-field.
 */
#define SDT_KEEP_(i, x)                                                                            \
    __extension__ __auto_type sdt_v##i##_ =                                                        \
        __builtin_choose_expr(SDT_CLASS_(x) - 1u < 8, (0, (x)), 0);                                \
    __extension__ _Static_assert(SDT_CLASS_(x) - 1u < 8 && sizeof(sdt_v##i##_) < 9,                \
                                 "SDT_PROBE: argument " SDT_NUMBER_##i##_ SDT_SAY_SCALAR_);        \
    SDT_INTEGER_TYPE_(i)
#define SDT_CHECKED_(i, x)                                                                         \
    typedef __typeof__(__builtin_choose_expr(SDT_CLASS_(x) - 1u < 8, (0, (x)), 0)) sdt_t##i##_;    \
    __extension__ _Static_assert(SDT_CLASS_(x) - 1u < 8 && sizeof(sdt_t##i##_) < 9,                \
                                 "SDT_PROBE: argument " SDT_NUMBER_##i##_ SDT_SAY_SCALAR_);
#define SDT_SET_(i, x)
#define SDT_PREPARE_(i, x) SDT_KEEP_(i, x)
#define SDT_TYPE_(i, x) SDT_CODE_(sdt_v##i##_, sdt_t##i##_)
#define SDT_IS_POINTER_(i, x) (SDT_CLASS_(sdt_v##i##_) == 5)

/*
 * Size, and what kind of number it is: the bits of enum sdt_arg_type. Text, each type as one token,
 * and bool have bit 0x80 (SDT_ARG_SPECIAL). unsigned char * is not text: it usually points to
 * bytes. Addresses and longs have four bytes on i386.
 */
typedef char *sdt_text_;
typedef const char *sdt_ctext_;
#define SDT_TEXT_CODE_ (0xc0 + __SIZEOF_POINTER__)
#define SDT_INTEGER_(v) __typeof__(__builtin_choose_expr(SDT_CLASS_(v) < 5, v, (__UINT64_TYPE__)0))
#if defined(__clang__)
/* A list of types takes half the compile time of tests; bit-fields have their declared type. */
#define SDT_INTEGER_TYPE_(i)
#define SDT_CODE_(v, integer)                                                                      \
    __extension__ _Generic(v, sdt_ctext_                                                           \
                           : SDT_TEXT_CODE_, int : 0x14, long : 0x10 + __SIZEOF_LONG__, sdt_text_  \
                           : SDT_TEXT_CODE_, unsigned : 0x04, unsigned long                        \
                           : __SIZEOF_LONG__, _Bool : 0x81, char                                   \
                           : (char)-1 < 0 ? 0x11 : 0x01, signed char : 0x11, unsigned char : 0x01, \
                             short : 0x12, unsigned short : 0x02, long long : 0x18,                \
                             unsigned long long : 0x08, float : 0x24, double : 0x28, default       \
                           : sizeof(v) == __SIZEOF_POINTER__ ? 0x40 + __SIZEOF_POINTER__ : 0)
#define SDT_WHOLE_(v, integer) &v
#else
#define SDT_INTEGER_TYPE_(i) typedef SDT_INTEGER_(sdt_v##i##_) sdt_t##i##_;
#define SDT_USUAL_CODE_(v, integer)                                                                \
    ((int)sizeof(v) + ((integer)-1 < (integer)1 ? 0x10                                             \
                       : SDT_CLASS_(v) == 8     ? 0x20                                             \
                       : SDT_CLASS_(v) == 5     ? 0x40                                             \
                                                : 0))
#define SDT_TEXT_OR_(v, other)                                                                     \
    __extension__ _Generic(v, sdt_ctext_                                                           \
                           : SDT_TEXT_CODE_, sdt_text_                                             \
                           : SDT_TEXT_CODE_, _Bool : 0x81, default                                 \
                           : other)
/*
 * In gcc a bit-field has a type of its own, of as many bits, and so has the variable. It is narrow
 * if that type has no room for the highest bit of its bytes; it is promoted, as in any expression.
 */
#define SDT_IS_NARROW_(v, integer) (!(integer)((__UINT64_TYPE__)1 << (8 * sizeof(v) - 1)))
#define SDT_CODE_(v, integer)                                                                      \
    SDT_TEXT_OR_(v, (SDT_IS_NARROW_(v, integer) ? sizeof(v) > 4 ? 0x18 : 0x14                      \
                                                : SDT_USUAL_CODE_(v, integer)))
#define SDT_WHOLE_(v, integer)                                                                     \
    __builtin_choose_expr(SDT_IS_NARROW_(v, integer), &(SDT_WIDE_(v)){(SDT_WIDE_(v))v}, &v)
#define SDT_WIDE_(v)                                                                               \
    __typeof__(__builtin_choose_expr(sizeof(v) > sizeof(long), (__UINT64_TYPE__)0, 0ul))
#endif

/* Selects an address, not a value: an operand that may be in memory has to be an object. */
#define SDT_BITS_(i) SDT_BITS_OF_(sdt_v##i##_, sdt_t##i##_)
#define SDT_BITS_OF_(v, integer)                                                                   \
    *_Generic(&v, float *                                                                          \
              : (sdt_bits4_ *)(void *)&v, double *                                                 \
              : (sdt_bits8_ *)(void *)&v, default                                                  \
              : SDT_WHOLE_(v, integer))

/* The variable and nothing computed: without optimisation, an address that is computed takes a
 * register. There all variables are in memory. */
#define SDT_IS_LONG_(i) (sizeof(sdt_v##i##_) == sizeof(sdt_bits8_))
#define SDT_PLACE_(i) *SDT_WHOLE_(sdt_v##i##_, sdt_t##i##_)
#if defined(__OPTIMIZE__)
#define SDT_PLACE_IF_LONG_(i)                                                                      \
    __builtin_choose_expr(SDT_IS_LONG_(i), SDT_PLACE_(i), *(const char *)4096)
#else
#define SDT_PLACE_IF_LONG_(i) SDT_PLACE_(i)
#endif

/* The functions take an address: the branch for floats must also compile for pointers, and for the
   volatile variables that gcc 10 makes of volatile arguments: hence the integer in between. */
#define SDT_WORD_(i, x) SDT_WORD_OF_(sdt_v##i##_)
#define SDT_ADDRESS_(v) ((const void *)(unsigned long)&v)
#define SDT_WORD_OF_(v)                                                                            \
    __extension__ _Generic(v, float                                                                \
                           : sdt_float_word_(SDT_ADDRESS_(v)), double                              \
                           : sdt_double_word_(SDT_ADDRESS_(v)), default                            \
                           : (unsigned long)v)
extern __inline__ __attribute__((__gnu_inline__, __always_inline__)) unsigned long
sdt_double_word_(const void *address)
{
    return *(const sdt_bits8_ *)address;
}
extern __inline__ __attribute__((__gnu_inline__, __always_inline__)) unsigned long
sdt_float_word_(const void *address)
{
    double wide = *(const float *)address;
    return sdt_double_word_(&wide);
}

#else
#include <sdt/values_cxx.h>
#endif

/* For messages: arguments are counted from 1. */
#define SDT_NUMBER_0_ "1"
#define SDT_NUMBER_1_ "2"
#define SDT_NUMBER_2_ "3"
#define SDT_NUMBER_3_ "4"
#define SDT_NUMBER_4_ "5"
#define SDT_NUMBER_5_ "6"
#define SDT_NUMBER_6_ "7"
#define SDT_NUMBER_7_ "8"
#define SDT_NUMBER_8_ "9"
#define SDT_NUMBER_9_ "10"
#define SDT_NUMBER_10_ "11"
#define SDT_NUMBER_11_ "12"

#endif
