/* SPDX-License-Identifier: BSD-2-Clause */
/* See request_traces.h. */
#include "request_traces.h"

#include <string.h>

enum { MOST_NAMED = 1 << 20 };

struct named_trace {
    struct keyed keyed;
    uint8_t trace[OTLP_TRACE_SIZE];
};

static void free_nothing(void *entry)
{
    (void)entry;
}

void request_traces_start(struct request_traces *traces, const struct match *match)
{
    *traces = (struct request_traces){.match = match};
    key_table_start(&traces->named, sizeof(struct named_trace));
}

void request_traces_free(struct request_traces *traces)
{
    key_table_end(&traces->named, free_nothing);
}

static void keep(struct request_traces *traces, const struct bytes *key, const uint8_t *trace)
{
    uint64_t hash = key_table_hash(key);
    if (traces->named.count == MOST_NAMED || *key_table_find(&traces->named, key, hash))
        return;
    struct named_trace *named = key_table_add(&traces->named, key, hash);
    memcpy(named->trace, trace, sizeof named->trace);
}

void request_traces_look(struct request_traces *traces, const struct event *event)
{
    struct bytes key = {0};
    uint8_t trace[OTLP_TRACE_SIZE];
    if (otlp_ids_trace(event, trace) && match_request(&key, traces->match, event))
        keep(traces, &key, trace);
    bytes_free(&key);
}

static void trace_of_key(const struct request_traces *traces, const struct bytes *key,
                         uint8_t trace[OTLP_TRACE_SIZE])
{
    const struct named_trace *named =
        (const void *)*key_table_find(&traces->named, key, key_table_hash(key));
    if (named)
        memcpy(trace, named->trace, sizeof named->trace);
    else
        otlp_ids_of_request(key, trace);
}

bool request_traces_of(const struct request_traces *traces, const struct event *event,
                       uint8_t trace[OTLP_TRACE_SIZE])
{
    struct bytes key = {0};
    bool is_named = otlp_ids_trace(event, trace);
    bool has_trace = is_named || match_request(&key, traces->match, event);
    if (has_trace && !is_named)
        trace_of_key(traces, &key, trace);
    bytes_free(&key);
    return has_trace;
}
