/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/systemtap.h> -- probes whose names say how many arguments they have, and of which types.
 *
 *     #include <sdt/systemtap.h>
 *
 *     SYSTEMTAP_PROBE(tick);
 *     SYSTEMTAP_PROBE_N(woken, pid);
 *     SYSTEMTAP_PROBE_NS(opened, fd, path);
 *     SYSTEMTAP_PROBE(opened, fd, path);        the same probe: the generic form looks at the types
 *
 *   SYSTEMTAP_PROBE(name)
 *   SYSTEMTAP_PROBE_N(name, arg) ... SYSTEMTAP_PROBE_SSSSSSS(name, arg...)
 *       A statement; the letters are the types of its 0 to 7 arguments, all 255 lists of them:
 *         N  a number: what can be cast to int64_t, that is integers, enums, bool, pointers, and
 *            floating-point values, which lose their fraction
 *         S  a string: what can be cast to const char *, that is any pointer to data. It is passed
 *            unchanged, and read by the handler, if at all, while the probe runs.
 *   SYSTEMTAP_PROBE(name, arg...)
 *       The generic form: S for char * and char arrays, whatever their qualifiers, else N.
 *
 *   name  A C identifier that neither contains `___` nor ends in `_`, macro-expanded first. It may
 *         be used any number of times, also in one function, also with other types: each list of
 *         types makes a probe of its own. Nothing has to be declared.
 *
 * Each argument is evaluated exactly once, in unspecified order; the generic form also examines its
 * type.
 *
 * Externally this is the probe <provider>:<name>__<count><types>, here systemtap:tick__0,
 * systemtap:woken__1N and systemtap:opened__2NS. The provider is the value of the macro
 * SYSTEMTAP_PROVIDER where the probe is used, `systemtap` by default. So the symbols
 *
 *     __dtrace_sdtasm_run_sdtlink___systemtap___opened__2NS
 *                                               undefined, in an object that sdtlink has not seen
 *                                               (__dtrace_sdt_... if compiled with SDT_CALL_SITES)
 *     __sdt_probe_systemtap___opened__2NS       in one that it has, and in what is linked of them
 *
 * tell a program that reads symbol tables (nm) all it needs to make a handler with exactly matching
 * parameters, and to attach it. <sdt/systemtap_attach.h> does that for programs in C and C++:
 *
 *     static void on_opened(int64_t fd, const char *path);
 *     int session = systemtap_attach_NS(opened, on_opened);
 *
 * N.B. A probe that is off is a NOP, not a check of a pointer: no memory is touched, and there is
 * no moment between check and call at which a handler could go away. For other costs, how to build,
 * SDT_DISABLE, dialects and misuse see <sdt/probe.h>.
 *
 * N.B. The generic form with n arguments is compiled as 2**n probes of which one is kept, also
 * without optimisation. With up to 4 arguments that takes gcc or clang 0.02 to 0.06 s per use, with
 * 7 half a second: the forms with letters take no extra time.
 */
#ifndef SDT_SYSTEMTAP_H
#define SDT_SYSTEMTAP_H

#include <sdt/probe.h>
#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC system_header /* for the reasons given in <sdt/probe.h> */
#endif

#if !defined(SYSTEMTAP_PROVIDER)
#define SYSTEMTAP_PROVIDER systemtap
#endif

#define SYSTEMTAP_PROBE(...)                                                                       \
    SYSTEMTAP_ANY_(SDT_COUNT_(__VA_ARGS__), #__VA_ARGS__, SYSTEMTAP_PROVIDER, __VA_ARGS__)

/* What follows is internal; the forms with letters are in the file below. */
#define SYSTEMTAP_ANY_(count, ...) SYSTEMTAP_ANY2_(count, __VA_ARGS__)
#if !SDT_HAS_PROBES
#define SYSTEMTAP_ANY2_(count, ...)                                                                \
    do {                                                                                           \
        if (0)                                                                                     \
            SYSTEMTAP_ANY_##count##_(__VA_ARGS__);                                                 \
    } while (0)
#else
#define SYSTEMTAP_ANY2_(count, ...) SYSTEMTAP_ANY_##count##_(__VA_ARGS__)
#endif
#define SYSTEMTAP_ANY_0_(text, provider, name) SDT_PROBE(provider, name##__0)

/* TEXT is how the arguments are spelled, with something before the first comma. */
#define SYSTEMTAP_SITE_(text, ...) SYSTEMTAP_SITE2_(text, SYSTEMTAP_PROVIDER, __VA_ARGS__)
#define SYSTEMTAP_SITE2_(...) SYSTEMTAP_LEAF_(__VA_ARGS__)
#define SYSTEMTAP_LEAF_(text, provider, name, types, ...)                                          \
    SDT_SPELLED_(text, provider, name##__##types, __VA_ARGS__)

/*
 * The generic form evaluates its arguments into variables. The conditions that pick a site are
 * constants of an enum, because without optimisation compilers drop only code whose condition is a
 * constant.
 */
#define SYSTEMTAP_DECIDE_(i, x) systemtap_is_s_##i##_ = SYSTEMTAP_IS_STRING_(x)
#define SYSTEMTAP_KEEP_(i, x) const int64_t systemtap_word_##i##_ = (int64_t)(x);
#define SYSTEMTAP_IS_S_(i) systemtap_is_s_##i##_
#define SYSTEMTAP_WORD_N_(i) systemtap_word_##i##_
#define SYSTEMTAP_WORD_S_(i) (const char *)systemtap_word_##i##_
#define SYSTEMTAP_TOO_MANY_                                                                        \
    (void)sizeof(struct { int SYSTEMTAP_PROBE_takes_at_most_7_arguments_after_the_name : -1; })

#define SYSTEMTAP_N_(x) (int64_t)(x)
#if defined(__cplusplus)
namespace systemtap_detail_
{
inline __attribute__((__always_inline__)) const char *string(const volatile void *x)
{
    return static_cast<const char *>(const_cast<const void *>(x));
}
template <typename T> struct answer {
    char bytes[1];
};
template <> struct answer<char *> {
    char bytes[2];
};
template <> struct answer<const char *> : answer<char *> {
};
template <> struct answer<volatile char *> : answer<char *> {
};
template <> struct answer<const volatile char *> : answer<char *> {
};
template <typename T> answer<T> is_string(T);
} // namespace systemtap_detail_
#define SYSTEMTAP_S_(x) ::systemtap_detail_::string(x)
#define SYSTEMTAP_IS_STRING_(x) (sizeof(::systemtap_detail_::is_string(x)) == 2)
#else
#define SYSTEMTAP_S_(x)                                                                            \
    ((const char *)(x) + 0 * sizeof(struct {                                                       \
                             int SYSTEMTAP_PROBE_S_argument_must_be_a_pointer                      \
                                 : __builtin_classify_type(x) == 5                                 \
                                 ? 1                                                               \
                                 : -1;                                                             \
                         }))
#define SYSTEMTAP_IS_STRING_(x)                                                                    \
    __extension__ _Generic((x), char * : 1, const char * : 1, volatile char * : 1,                 \
                           const volatile char * : 1, default : 0)
#endif

#include <sdt/systemtap_probes.h>

#endif
