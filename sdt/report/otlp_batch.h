/* SPDX-License-Identifier: BSD-2-Clause */
/* Spans and log records that wait for the request in which they leave, by process and provider. */
#ifndef SDT_OTLP_BATCH_H
#define SDT_OTLP_BATCH_H

#include "otlp/message.h"
#include "otlp/signal.h"
#include "trace/merge.h"

struct otlp_batch_group {
    const struct trace *trace;
    uint32_t pid;
    const char *provider;
    struct bytes items[OTLP_SIGNALS]; /* encoded */
};

struct otlp_batch {
    bool is_json;
    struct otlp_batch_group *groups;
    size_t count;
    uint64_t item_count[OTLP_SIGNALS];
};

/* Where what concerns EVENT is appended. The encoding is the batch's. */
struct otlp otlp_batch_place(struct otlp_batch *batch, enum otlp_signal signal,
                             const struct event *event);
/* A span or a record is complete. True: there are enough for a request. */
bool otlp_batch_added(struct otlp_batch *batch, enum otlp_signal signal);
/* Append the request to TO, and return how many items it has; 0: there are none, nor a request. */
uint64_t otlp_batch_request(const struct otlp_batch *batch, enum otlp_signal signal,
                            struct bytes *to);
/* Once the requests are made. */
void otlp_batch_clear(struct otlp_batch *batch);

#endif
