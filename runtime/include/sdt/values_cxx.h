/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/values_cxx.h> -- a part of <sdt/probe.h>: what the arguments of a probe are, in C++. What
 * the macros do is in <sdt/values.h>. Do not include it yourself; all names in it are internal.
 *
 * The argument is evaluated once, into a variable; everything else uses the variable, by overloads
 * that are declared and never defined. So a scalar needs no function call, which g++ would neither
 * evaluate without optimisation nor inline into a function of SDT_GENERAL_REGS_ONLY. Variables are
 * declared first and assigned later: all arguments and the site are one full expression, so that
 * temporaries live until the site has been passed.
 *
 * Objects of some classes are accepted as what they hold. A class is known by its members, since
 * this header includes no other:
 *
 *   c_str()                    text that ends with a NUL: std::string, std::filesystem::path
 *   data(), size(), traits_type  text with a length: std::string_view. What is passed is the
 *                              address of a struct sdt_text (<sdt/runtime.h>) on the stack: two
 *                              stores while the probe is off. (Two words instead would be two
 *                              operands of the asm statement for each argument of each probe,
 *                              whatever its type, and gcc allows 30.)
 *   rep, period, count()       std::chrono durations: a number, and its unit
 */
#ifndef SDT_VALUES_CXX_H
#define SDT_VALUES_CXX_H

#if !defined(SDT_PROBE_H)
#error "include <sdt/probe.h>"
#endif

#define SDT_KEEP_(i, x)                                                                            \
    typedef __typeof__(::sdt_detail_::kept_of(x)) sdt_k##i##_;                                     \
    sdt_k##i##_ sdt_v##i##_;                                                                       \
    SDT_SCALAR_(i, SDT_TYPE_(i, x) != 0)
#define SDT_CHECKED_(i, x)                                                                         \
    typedef __typeof__(::sdt_detail_::kept_of(x)) sdt_k##i##_;                                     \
    SDT_SCALAR_(i, SDT_TYPE_(i, x) != 0)
/* A cast, not parentheses: a parameter pack may stand in it, and kept_of() has the message. */
#define SDT_SET_(i, x) (void)(sdt_v##i##_ = sdt_k##i##_(x)),
#define SDT_PREPARE_(i, x) SDT_KEEP_(i, x)
/* By members of classes, not by overloads: g++ takes time for each candidate of each call. */
#define SDT_TYPE_(i, x) ::sdt_detail_::type<sdt_k##i##_>::value
#define SDT_IS_POINTER_(i, x) ((SDT_TYPE_(i, x) & 0x40) != 0)
#define SDT_BITS_(i)                                                                               \
    *(__typeof__(::sdt_detail_::variable<sdt_k##i##_>::bits()) *)(void *)&sdt_v##i##_
#define SDT_IS_LONG_(i) (sizeof(sdt_v##i##_) == sizeof(sdt_bits8_))
#define SDT_PLACE_(i) sdt_v##i##_
#if defined(__OPTIMIZE__)
#define SDT_PLACE_IF_LONG_(i) (SDT_IS_LONG_(i) ? sdt_v##i##_ : *(sdt_k##i##_ *)4096)
#else
#define SDT_PLACE_IF_LONG_(i) SDT_PLACE_(i)
#endif
#define SDT_WORD_(i, x)                                                                            \
    (unsigned long)(__typeof__(::sdt_detail_::variable<sdt_k##i##_>::word()))sdt_v##i##_

#if __cplusplus >= 201103L
#define SDT_SCALAR_(i, right)                                                                      \
    static_assert(right, "SDT_PROBE: argument " SDT_NUMBER_##i##_ SDT_SAY_SCALAR_);
#else
#define SDT_SCALAR_(i, right)                                                                      \
    (void)sizeof(                                                                                  \
        ::sdt_detail_::SDT_PROBE_argument_must_be_integer_enum_bool_pointer_float_or_double<       \
            i + 1, (right)>);
namespace sdt_detail_
{
template <unsigned Number, bool Right>
struct SDT_PROBE_argument_must_be_integer_enum_bool_pointer_float_or_double;
template <unsigned Number>
struct SDT_PROBE_argument_must_be_integer_enum_bool_pointer_float_or_double<Number, true> {
};
} // namespace sdt_detail_
#endif

/* Functions for classes; g++ inlines them into SDT_GENERAL_REGS_ONLY functions only if they are
 * marked as well. With modules of C++ they are not: g++ 12 cannot write that attribute into the
 * compiled module, and ends with "internal compiler error: in core_vals". */
#if SDT_HAS_PROBES && !defined(__clang__) && __GNUC__ >= 11 && !defined(__cpp_modules)
#define SDT_ALWAYS_INLINE_                                                                         \
    inline __attribute__((__always_inline__, __target__("general-regs-only")))
#else
#define SDT_ALWAYS_INLINE_ inline __attribute__((__always_inline__))
#endif

namespace sdt_detail_
{
/* ---- Type bytes (enum sdt_arg_type in <sdt/format.h>). ---- */

template <unsigned Code> struct code {
    enum { value = Code };
};
template <typename T> struct integer : code<sizeof(T) + (T(-1) < T(0) ? 0x10 : 0)> {
};

template <typename T, bool IsEnum = __is_enum(T)> struct type : code<0> {
};
template <typename T> struct type<T, true> : integer<__underlying_type(T)> {
};
template <typename T> struct type<T *, false> : code<0x40 + sizeof(void *)> {
};
/* Text, with every combination of const and volatile. */
#define SDT_TEXT_IS_(T)                                                                            \
    template <> struct type<T *, false> : code<0xc0 + sizeof(void *)> {                            \
    };                                                                                             \
    template <> struct type<const T *, false> : code<0xc0 + sizeof(void *)> {                      \
    };                                                                                             \
    template <> struct type<volatile T *, false> : code<0xc0 + sizeof(void *)> {                   \
    };                                                                                             \
    template <> struct type<const volatile T *, false> : code<0xc0 + sizeof(void *)> {             \
    }
SDT_TEXT_IS_(char);
#if defined(__cpp_char8_t)
SDT_TEXT_IS_(char8_t);
#endif
#undef SDT_TEXT_IS_
#define SDT_TYPE_IS_(T, code_)                                                                     \
    template <> struct type<T, false> : code_ {                                                    \
    }
SDT_TYPE_IS_(bool, code<0x81>);
SDT_TYPE_IS_(char, integer<char>);
SDT_TYPE_IS_(signed char, code<0x11>);
SDT_TYPE_IS_(unsigned char, code<0x01>);
SDT_TYPE_IS_(short, code<0x12>);
SDT_TYPE_IS_(unsigned short, code<0x02>);
SDT_TYPE_IS_(int, code<0x14>);
SDT_TYPE_IS_(unsigned int, code<0x04>);
SDT_TYPE_IS_(long, integer<long>);
SDT_TYPE_IS_(unsigned long, integer<unsigned long>);
SDT_TYPE_IS_(long long, code<0x18>);
SDT_TYPE_IS_(unsigned long long, code<0x08>);
SDT_TYPE_IS_(wchar_t, integer<wchar_t>);
SDT_TYPE_IS_(float, code<0x24>);
SDT_TYPE_IS_(double, code<0x28>);
#if __cplusplus >= 201103L
SDT_TYPE_IS_(char16_t, code<0x02>);
SDT_TYPE_IS_(char32_t, code<0x04>);
#endif
#if defined(__cpp_char8_t)
SDT_TYPE_IS_(char8_t, code<0x01>);
#endif

/* ---- What a class is. ---- */

template <unsigned Size> struct sized {
    char bytes[Size];
};
template <typename T> const T &made();
sized<1> is_text(const char *);
#if defined(__cpp_char8_t)
sized<1> is_text(const char8_t *);
#endif
sized<2> is_text(...);
template <bool Right> struct needs {
};
template <> struct needs<true> {
    typedef int yes;
};

enum { OTHER_CLASS = 1, STRING_CLASS, VIEW_CLASS, DURATION_CLASS };

template <typename T>
sized<STRING_CLASS> class_of(typename needs<sizeof(is_text(made<T>().c_str())) == 1>::yes *, int);
template <typename T>
sized<VIEW_CLASS> class_of(typename needs<sizeof(is_text(made<T>().data())) == 1>::yes *, long,
                           sized<sizeof(made<T>().size())> * = 0, typename T::traits_type * = 0);
template <typename T>
sized<DURATION_CLASS> class_of(sized<sizeof(made<T>().count())> *, long, typename T::rep * = 0,
                               typename needs<(T::period::num > 0)>::yes * = 0);
template <typename T> sized<OTHER_CLASS> class_of(void *, ...);

/* ---- Variables for objects: the word, as it is passed. ---- */

struct string_word {
    unsigned long word;
    SDT_ALWAYS_INLINE_ string_word() {}
    template <typename T>
    SDT_ALWAYS_INLINE_ explicit string_word(const T &text)
        : word(reinterpret_cast<unsigned long>(text.c_str()))
    {
    }
    SDT_ALWAYS_INLINE_ operator unsigned long() const
    {
        return word;
    }
};

/* struct sdt_text. It is the argument of a constructor, and lives as long as all temporaries. */
struct text {
    const void *bytes;
    unsigned long length;
    template <typename T>
    SDT_ALWAYS_INLINE_ text(const T &view) : bytes(view.data()), length(view.size())
    {
        /* Stores to the text are not moved after this, also with SDT_NO_MEMORY_CLOBBER. */
        __asm__ __volatile__("" : : "r"(bytes) : "memory");
    }
};
struct view_word {
    unsigned long word;
    SDT_ALWAYS_INLINE_ view_word() {}
    SDT_ALWAYS_INLINE_ explicit view_word(const text &view)
        : word(reinterpret_cast<unsigned long>(&view))
    {
    }
    SDT_ALWAYS_INLINE_ operator unsigned long() const
    {
        return word;
    }
};

/* Integers of any size as one of 64 bits. */
template <unsigned Unit> struct duration_word {
    __INT64_TYPE__ word;
    SDT_ALWAYS_INLINE_ duration_word() {}
    template <typename T>
    SDT_ALWAYS_INLINE_ explicit duration_word(const T &time)
        : word(static_cast<__INT64_TYPE__>(time.count()))
    {
    }
    SDT_ALWAYS_INLINE_ operator unsigned long() const
    {
        return static_cast<unsigned long>(word);
    }
};
template <typename Rep> struct real_word {
    Rep word;
    inline __attribute__((__always_inline__)) real_word() {}
    template <typename T>
    inline __attribute__((__always_inline__)) explicit real_word(const T &time) : word(time.count())
    {
    }
    inline __attribute__((__always_inline__)) operator Rep() const
    {
        return word;
    }
};
struct refused_word {
    SDT_ALWAYS_INLINE_ refused_word() {}
    template <typename T> SDT_ALWAYS_INLINE_ explicit refused_word(const T &) {}
    operator unsigned long() const;
};

SDT_TYPE_IS_(string_word, code<0xc0 + sizeof(void *)>);
SDT_TYPE_IS_(view_word, code<0xd0 + sizeof(void *)>);
template <unsigned Unit> struct type<duration_word<Unit>, false> : code<Unit> {
};
template <typename Rep> struct type<real_word<Rep>, false> : type<Rep> {
};
#undef SDT_TYPE_IS_

/* Units that have a type byte (enum sdt_arg_type); others are numbers. */
template <long Numerator, long Denominator> struct unit : code<0x18> {
};
template <> struct unit<1, 1> : code<0x88> {
};
template <> struct unit<1, 1000> : code<0x98> {
};
template <> struct unit<1, 1000000> : code<0xa8> {
};
template <> struct unit<1, 1000000000> : code<0xb8> {
};

/* The variable of an object. */
template <typename T, unsigned Class> struct object {
    typedef refused_word kept;
};
template <typename T> struct object<T, STRING_CLASS> {
    typedef string_word kept;
};
template <typename T> struct object<T, VIEW_CLASS> {
    typedef view_word kept;
};
template <typename T, unsigned Type> struct duration {
    typedef duration_word<unit<T::period::num, T::period::den>::value> kept;
};
template <typename T> struct duration<T, 0> {
    typedef refused_word kept;
};
template <typename T> struct duration<T, 0x24> {
    typedef real_word<float> kept;
};
template <typename T> struct duration<T, 0x28> {
    typedef real_word<double> kept;
};
template <typename T> struct object<T, DURATION_CLASS> : duration<T, type<typename T::rep>::value> {
};

/* The variable of anything: of arrays and functions a pointer, nothing volatile. */
template <typename T> T decayed(T);
template <typename T, bool IsClass = __is_class(T) || __is_union(T)> struct argument {
    typedef __typeof__(decayed(*static_cast<const T *>(0))) kept;
};
template <typename T> struct argument<T, true> {
    typedef typename object<T, sizeof(class_of<T>(0, 0))>::kept kept;
};
template <typename T> typename argument<T>::kept kept_of(const T &);

/* The variable as an integer of its size, or as it is; and what becomes a word by a cast. */
struct double_word {
    unsigned long word;
    inline __attribute__((__always_inline__)) explicit double_word(double x)
    {
        __builtin_memcpy(&word, &x, sizeof word);
    }
    inline __attribute__((__always_inline__)) operator unsigned long() const
    {
        return word;
    }
};
/* C++98 has no `>>`. */
/* clang-format off */
template <typename Bits, typename Word> struct forms {
    static Bits bits();
    static Word word();
};
template <typename T> struct variable : forms<T, T> {
};
template <> struct variable<float> : forms<sdt_bits4_, double_word> {
};
template <> struct variable<double> : forms<sdt_bits8_, double_word> {
};
template <> struct variable<real_word<float> > : forms<sdt_bits4_, double_word> {
};
template <> struct variable<real_word<double> > : forms<sdt_bits8_, double_word> {
};
template <> struct variable<string_word> : forms<unsigned long, string_word> {
};
template <> struct variable<view_word> : forms<unsigned long, view_word> {
};
template <unsigned Unit>
struct variable<duration_word<Unit> > : forms<sdt_bits8_, duration_word<Unit> > {
};
template <> struct variable<refused_word> : forms<unsigned long, refused_word> {
};
/* clang-format on */

#if __cplusplus >= 201103L
template <> struct argument<decltype(nullptr), false> {
    typedef void *kept;
};
/* A parameter pack is one argument of the macro, and several or none of the functions. */
template <typename... Pack> struct packed {
    static_assert(sizeof...(Pack) == 1, "SDT_PROBE: a parameter pack is not an argument; write "
                                        "each of its elements, or a function of the pack");
    typedef int type;
};
template <typename... Pack> typename packed<Pack...>::type kept_of();
template <typename T, typename U, typename... Pack>
typename packed<T, U, Pack...>::type kept_of(const T &, const U &, const Pack &...);
#endif
} // namespace sdt_detail_

#endif
