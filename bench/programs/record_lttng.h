/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of record_lttng.c, in the form that LTTng-UST's documentation gives. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER record
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./record_lttng.h"
#if !defined(RECORD_LTTNG_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define RECORD_LTTNG_H
#include <lttng/tracepoint.h>
/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT_CLASS(
    record, one,
    LTTNG_UST_TP_ARGS(long, a),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(long, a, a)))
LTTNG_UST_TRACEPOINT_EVENT_CLASS(
    record, three,
    LTTNG_UST_TP_ARGS(long, a, int, b, long, c),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(long, a, a)
        lttng_ust_field_integer(int, b, b)
        lttng_ust_field_integer(long, c, c)))
LTTNG_UST_TRACEPOINT_EVENT_CLASS(
    record, six,
    LTTNG_UST_TP_ARGS(long, a, int, b, long, c, short, d, char, e, const void *, f),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(long, a, a)
        lttng_ust_field_integer(int, b, b)
        lttng_ust_field_integer(long, c, c)
        lttng_ust_field_integer(short, d, d)
        lttng_ust_field_integer(char, e, e)
        lttng_ust_field_integer_hex(unsigned long, f, (unsigned long)f)))
LTTNG_UST_TRACEPOINT_EVENT_CLASS(
    record, text,
    LTTNG_UST_TP_ARGS(long, a, const char *, b, int, c),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(long, a, a)
        lttng_ust_field_string(b, b)
        lttng_ust_field_integer(int, c, c)))
LTTNG_UST_TRACEPOINT_EVENT_CLASS(
    record, array,
    LTTNG_UST_TP_ARGS(long, a, const int *, b, int, c),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(long, a, a)
        lttng_ust_field_sequence(int, b, b, unsigned short, c)))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(
    record, array, record, array,
    LTTNG_UST_TP_ARGS(long, a, const int *, b, int, c))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(
    record, array, record, array_told,
    LTTNG_UST_TP_ARGS(long, a, const int *, b, int, c))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(
    record, one, record, one,
    LTTNG_UST_TP_ARGS(long, a))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(
    record, one, record, one_told,
    LTTNG_UST_TP_ARGS(long, a))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(
    record, three, record, three,
    LTTNG_UST_TP_ARGS(long, a, int, b, long, c))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(
    record, three, record, three_told,
    LTTNG_UST_TP_ARGS(long, a, int, b, long, c))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(
    record, six, record, six,
    LTTNG_UST_TP_ARGS(long, a, int, b, long, c, short, d, char, e, const void *, f))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(
    record, six, record, six_told,
    LTTNG_UST_TP_ARGS(long, a, int, b, long, c, short, d, char, e, const void *, f))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(
    record, text, record, text,
    LTTNG_UST_TP_ARGS(long, a, const char *, b, int, c))
LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(
    record, text, record, text_told,
    LTTNG_UST_TP_ARGS(long, a, const char *, b, int, c))
/* clang-format on */
#endif
#include <lttng/tracepoint-event.h>
