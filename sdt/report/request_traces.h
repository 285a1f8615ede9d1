/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The trace of a request that --match=KEY names: that which one of its events has named, in
 * whatever process; else one whose id is made of the key's value, so that exports of single hosts
 * agree. Memory grows with the requests whose trace was named, up to a limit.
 */
#ifndef SDT_REQUEST_TRACES_H
#define SDT_REQUEST_TRACES_H

#include "key_table.h"
#include "match.h"
#include "otlp_ids.h"

struct request_traces {
    const struct match *match;
    struct key_table named;
};

void request_traces_start(struct request_traces *traces, const struct match *match);
/* All events are looked at, before the first one is asked for. */
void request_traces_look(struct request_traces *traces, const struct event *event);
/* The trace of EVENT: that which it names, or that of its request. False: it has none. */
bool request_traces_of(const struct request_traces *traces, const struct event *event,
                       uint8_t trace[OTLP_TRACE_SIZE]);
void request_traces_free(struct request_traces *traces);

#endif
