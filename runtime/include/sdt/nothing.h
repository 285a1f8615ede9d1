/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/nothing.h> -- a part of <sdt/probe.h>: the macros where there are no probes. Do not include
 * it yourself; all names in it are internal.
 *
 * There are two reasons to have none. SDT_DISABLE works with every compiler, so its arguments need
 * only compile. On a machine that is not supported, with gcc or clang, names and arguments are
 * checked as for a probe: a program that compiles there also compiles where there are probes. The
 * checks are those of <sdt/names.h> and <sdt/values.h>, on types alone: there are no variables,
 * since gcc without optimisation would reserve stack for them. Declarations come first, as in C90.
 *
 * The branch that is never taken evaluates the arguments. So variables and functions that only
 * probes use count as used, as where there are probes.
 */
#ifndef SDT_NOTHING_H
#define SDT_NOTHING_H

#if !defined(SDT_PROBE_H)
#error "include <sdt/probe.h>"
#endif

#if defined(SDT_DISABLE) || !defined(__GNUC__)

#define SDT_SPREAD_(count, text, provider, name, ...)                                              \
    do {                                                                                           \
        if (0) {                                                                                   \
            SDT_EACH_(count, SDT_UNUSED_, __VA_ARGS__);                                            \
        }                                                                                          \
    } while (0)
#define SDT_ANSWER_(provider, name) 0

#else

#define SDT_SPREAD_(count, text, provider, name, ...)                                              \
    SDT_NOTHING_(count, #provider, #name, __VA_ARGS__)
#define SDT_NOTHING_(count, provider, name, ...)                                                   \
    do {                                                                                           \
        if (0) {                                                                                   \
            SDT_NUMBERED_(count, SDT_CHECKED_, __VA_ARGS__)                                        \
            SDT_LIMIT_(count)                                                                      \
            SDT_CHECK_NAMES_(provider, name)                                                       \
            SDT_EACH_(count, SDT_UNUSED_, __VA_ARGS__);                                            \
        }                                                                                          \
    } while (0)
/* A constant, so that the code that it guards is dropped even without optimisation. */
#define SDT_ANSWER_(provider, name) SDT_NO_(#provider, #name)
#define SDT_NO_(provider, name)                                                                    \
    ((int)(0 * sizeof(__extension__({                                                              \
               SDT_CHECK_NAMES_(provider, name)                                                    \
               0;                                                                                  \
           }))))

#endif

#define SDT_UNUSED_(i, x) (void)(x)
#define SDT_UNUSED_none (void)0

#endif
