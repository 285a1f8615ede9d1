/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ids of spans. They are made of what identifies a span's begin: host, trace, process, thread,
 * probe and time. The same recording has the same ids in each export, so what is sent twice is
 * stored once. A request that --match names has one trace, whose id is made of the key's value, in
 * the recordings of other hosts as well. An argument `trace_id` of a begin is the trace's id, and
 * `span_id` that of the span in which the program was: 32 and 16 hexadecimal digits, as many bytes,
 * or a 64-bit number.
 */
#ifndef SDT_OTLP_IDS_H
#define SDT_OTLP_IDS_H

#include "otlp/schema.h"
#include "trace/merge.h"

struct otlp_ids {
    uint8_t trace[OTLP_TRACE_SIZE], span[OTLP_SPAN_SIZE];
};

/* Of the begin EVENT, before which its thread has had ORDINAL others at the same time. */
struct otlp_ids otlp_ids_make(const struct event *event, uint64_t ordinal);
/* The id of the trace of a request, of which KEY is all that is known (match_request()). */
void otlp_ids_of_request(const struct bytes *key, uint8_t trace[OTLP_TRACE_SIZE]);
/* What the arguments of EVENT say; false: there is no such argument, or it is no id. */
bool otlp_ids_trace(const struct event *event, uint8_t trace[OTLP_TRACE_SIZE]);
bool otlp_ids_span(const struct event *event, uint8_t span[OTLP_SPAN_SIZE]);

#endif
