/* SPDX-License-Identifier: BSD-2-Clause */
/* Internal to <sdt/probe.h> and <sdt/marker.h>: around a use of __COUNTER__. */
#ifndef SDT_COUNTER_H
#define SDT_COUNTER_H

/* clang 22 and later tell who asks that __COUNTER__, which all compilers have, is new in C2y. */
#if defined(__clang__) && __clang_major__ >= 22
#define SDT_COUNTER_QUIET_                                                                         \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc2y-extensions\"")      \
        _Pragma("clang diagnostic ignored \"-Wpre-c2y-compat\"")
#define SDT_COUNTER_LOUD_ _Pragma("clang diagnostic pop")
#else
#define SDT_COUNTER_QUIET_
#define SDT_COUNTER_LOUD_
#endif

#endif
