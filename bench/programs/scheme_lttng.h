/* SPDX-License-Identifier: BSD-2-Clause */
/* The event of scheme.h. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER scheme
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./scheme_lttng.h"
#if !defined(SCHEME_LTTNG_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define SCHEME_LTTNG_H
#include <lttng/tracepoint.h>
/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(
    scheme, site,
    LTTNG_UST_TP_ARGS(long, a, int, b, const void *, c),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(long, a, a)
        lttng_ust_field_integer(int, b, b)
        lttng_ust_field_integer_hex(unsigned long, c, (unsigned long)c)))
/* clang-format on */
#endif
#include <lttng/tracepoint-event.h>
