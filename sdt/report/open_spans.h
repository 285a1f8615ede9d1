/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The spans whose ends are still to come: in a hash table by the number of their begins, and those
 * of each thread that are nested in a stack. Begins without an end are never here, so the memory
 * grows with what is open at a time. A span's parent is the one at the top of its thread's stack
 * when it begins.
 */
#ifndef SDT_OPEN_SPANS_H
#define SDT_OPEN_SPANS_H

#include "otlp_attributes.h"
#include "otlp_ids.h"
#include "request_traces.h"
#include "tracks.h"

/* A span with more single events has them in the log: backends refuse larger spans. */
enum { MAX_SPAN_EVENTS = 128 };

struct open_span {
    struct open_span *next; /* in its bucket */
    uint64_t number;        /* of the begin */
    int64_t time;
    const struct event_class *class;
    const char *name;
    bool is_nested;  /* it is in its thread's stack; */
    uint32_t thread; /* whose number that is */
    struct otlp_ids ids;
    uint8_t own_trace[OTLP_TRACE_SIZE]; /* the trace's id if it turns out that it has no parent */
    bool has_parent, has_outer;         /* a span of the recording; one that the program named */
    bool has_context;                   /* the thread worked for span `context` at its begin */
    uint8_t context[OTLP_SPAN_SIZE];
    uint64_t parent_number;
    uint8_t parent[OTLP_SPAN_SIZE];
    struct otlp_attributes attributes;
    struct bytes events; /* encoded, elements of OTLP_SPAN_EVENTS */
    unsigned event_count;
};

struct thread_spans {
    struct open_span **stack;
    size_t count, capacity;
    bool has_sender; /* a message has come, and no span has begun since: */
    struct otlp_ids sender;
    int64_t last_time; /* of a begin, */
    uint64_t ordinal;  /* before which there were so many at the same time */
};

struct open_spans {
    struct request_traces requests; /* the caller's */
    struct open_span **buckets;
    size_t bucket_count, count;
    struct tracks numbers; /* of threads: places in */
    struct thread_spans *threads;
    size_t thread_count;
};

/* A new one, with ids and parent, which EVENT with that NUMBER begins. */
struct open_span *open_spans_add(struct open_spans *spans, const struct event *event,
                                 uint64_t number, bool is_nested);
/* Whether the thread of EVENT works for another span than when SPAN began: one between both. */
bool open_spans_has_moved(const struct open_span *span, const struct event *event);
/* NULL: there is none. */
struct open_span *open_spans_find(const struct open_spans *spans, uint64_t number);
/* The innermost one of a thread; NULL: there is none. */
struct open_span *open_spans_of_thread(struct open_spans *spans, const struct event *event);
/* The thread of EVENT gets a message of the span SENDER, which is the parent of its next one;
 * unless the thread is in a span already. */
void open_spans_receive(struct open_spans *spans, const struct event *event,
                        const struct otlp_ids *sender);
/* SPAN has ended; it is freed. */
void open_spans_remove(struct open_spans *spans, struct open_span *span);
void open_spans_free(struct open_spans *spans);

#endif
