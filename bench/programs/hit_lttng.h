/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of hit_lttng.c, in the form that LTTng-UST's documentation gives. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER hit
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./hit_lttng.h"
#if !defined(HIT_LTTNG_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define HIT_LTTNG_H
#include <lttng/tracepoint.h>
/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(
    hit, one,
    LTTNG_UST_TP_ARGS(long, a),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(long, a, a)))
LTTNG_UST_TRACEPOINT_EVENT(
    hit, off,
    LTTNG_UST_TP_ARGS(long, a),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(long, a, a)))
LTTNG_UST_TRACEPOINT_EVENT(
    hit, six,
    LTTNG_UST_TP_ARGS(long, a, long, b, int, c, short, d, char, e, const void *, f),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(long, a, a)
        lttng_ust_field_integer(long, b, b)
        lttng_ust_field_integer(int, c, c)
        lttng_ust_field_integer(short, d, d)
        lttng_ust_field_integer(char, e, e)
        lttng_ust_field_integer_hex(unsigned long, f, (unsigned long)f)))
/* clang-format on */
#endif
#include <lttng/tracepoint-event.h>
