/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/names.h> -- a part of <sdt/probe.h>: the checks of provider and name. Do not include it
 * yourself; all names in it are internal.
 *
 * A wrong name does not compile, and the message says what is wrong. For that the compiler must
 * evaluate functions of a string literal, and each does it differently:
 *
 *   gcc     static assertions over string functions, which it computes. In C++98, which has no
 *           assertions, a call of an `error` function, which is an error if it is still there when
 *           code is generated.
 *   clang   a condition (diagnose_if) of a function whose call it checks. strspn cannot be used
 *           there. So the condition tests one character after the other, and stops at the end of
 *           the name: testing all 48 characters took half the compile time of a probe.
 */
#ifndef SDT_NAMES_H
#define SDT_NAMES_H

#if !defined(SDT_PROBE_H)
#error "include <sdt/probe.h>"
#endif

#define SDT_SAY_NAME_                                                                              \
    "SDT_PROBE: provider and name must be C identifiers, and no macros with another value (in the" \
    " gnu dialects `linux` and `unix` are macros: use -std=c11 or another name)"
#define SDT_SAY_TRIPLE_ "SDT_PROBE: neither provider nor name may contain ___"
#define SDT_SAY_TAIL_ "SDT_PROBE: a provider must not end in _"

#if defined(__clang__)

/*
 * Some character of s, from number i on, passes the test. The string's end stops the evaluation.
 * Names of more than 48 characters are checked by sdtlink.
 */
#define SDT_FROM_(s, i, test, rest) (s[i] && ((test(s, i)) || rest))
#define SDT_FROM4_(s, i, test, rest)                                                               \
    SDT_FROM_(                                                                                     \
        s, i, test,                                                                                \
        SDT_FROM_(s, i + 1, test, SDT_FROM_(s, i + 2, test, SDT_FROM_(s, i + 3, test, rest))))
#define SDT_FROM16_(s, i, test, rest)                                                              \
    SDT_FROM4_(                                                                                    \
        s, i, test,                                                                                \
        SDT_FROM4_(s, i + 4, test, SDT_FROM4_(s, i + 8, test, SDT_FROM4_(s, i + 12, test, rest))))
#define SDT_ANY_(s, test)                                                                          \
    SDT_FROM16_(s, 0, test, SDT_FROM16_(s, 16, test, SDT_FROM16_(s, 32, test, 0)))
/* Lower case first: nearly all characters are. */
#define SDT_IS_FOREIGN_(s, i)                                                                      \
    (s[i] < 'a' || s[i] > 'z') && s[i] != '_' && (s[i] < 'A' || s[i] > 'Z') &&                     \
        (i == 0 || s[i] < '0' || s[i] > '9')
#define SDT_IS_TRIPLE_(s, i) s[i] == '_' && s[i + 1] == '_' && s[i + 2] == '_'
#if defined(__cplusplus)
extern "C" {
#endif
int sdt_check_names_(const char *p, const char *n) __attribute__((
    __diagnose_if__(!p[0] || !n[0] || SDT_ANY_(p, SDT_IS_FOREIGN_) || SDT_ANY_(n, SDT_IS_FOREIGN_),
                    SDT_SAY_NAME_, "error"),
    __diagnose_if__((__builtin_strchr(p, '_') && SDT_ANY_(p, SDT_IS_TRIPLE_)) ||
                        (__builtin_strchr(n, '_') && SDT_ANY_(n, SDT_IS_TRIPLE_)),
                    SDT_SAY_TRIPLE_, "error"),
    __diagnose_if__(p[0] && p[__builtin_strlen(p) - 1] == '_', SDT_SAY_TAIL_, "error")));
#if defined(__cplusplus)
}
#endif
#define SDT_CHECK_NAMES_(provider, name) (void)sizeof(sdt_check_names_(provider, name));

#else

/* Both names in one literal where possible: each literal costs compile time. */
#define SDT_IS_NO_NAME_(p, n)                                                                      \
    __builtin_strspn(p n, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") !=    \
            sizeof(p n) - 1 ||                                                                     \
        __builtin_strcspn(p, "0123456789") == 0 || __builtin_strcspn(n, "0123456789") == 0
#define SDT_HAS_TRIPLE_(p, n) __builtin_strstr(p " " n, "___") != 0
#define SDT_HAS_TAIL_(p) __builtin_strstr(p " ", "_ ") != 0

#if !defined(__cplusplus) || __cplusplus >= 201103L
#if defined(__cplusplus)
#define SDT_ASSERT_ static_assert
#else
#define SDT_ASSERT_ __extension__ _Static_assert
#endif
#define SDT_CHECK_NAMES_(p, n)                                                                     \
    SDT_ASSERT_(!(SDT_IS_NO_NAME_(p, n)), SDT_SAY_NAME_);                                          \
    SDT_ASSERT_(!(SDT_HAS_TRIPLE_(p, n)), SDT_SAY_TRIPLE_);                                        \
    SDT_ASSERT_(!(SDT_HAS_TAIL_(p)), SDT_SAY_TAIL_);
#else
extern "C" {
void sdt_bad_name_(void) __attribute__((__error__(SDT_SAY_NAME_)));
void sdt_bad_triple_(void) __attribute__((__error__(SDT_SAY_TRIPLE_)));
void sdt_bad_tail_(void) __attribute__((__error__(SDT_SAY_TAIL_)));
}
#define SDT_CHECK_NAMES_(p, n)                                                                     \
    do {                                                                                           \
        if (SDT_IS_NO_NAME_(p, n))                                                                 \
            sdt_bad_name_();                                                                       \
        if (SDT_HAS_TRIPLE_(p, n))                                                                 \
            sdt_bad_triple_();                                                                     \
        if (SDT_HAS_TAIL_(p))                                                                      \
            sdt_bad_tail_();                                                                       \
    } while (0);
#endif

#endif

#endif
