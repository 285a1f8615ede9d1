/* SPDX-License-Identifier: BSD-2-Clause */
#include "merge.h"

#include <stdlib.h>

/* A stream and its next event. */
struct merge_head {
    int64_t time;
    size_t order;
    struct stream *stream;
    struct raw_event raw;
};

/* Clocks have more than one tick to a nanosecond: those of one trace are compared by ticks. */
static bool is_before(const struct merge_head *a, const struct merge_head *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    if (a->stream->trace == b->stream->trace && a->raw.timestamp != b->raw.timestamp)
        return a->raw.timestamp < b->raw.timestamp;
    return a->order < b->order;
}

/* Let the head at I sink to its place. */
static void sink(struct merge *merge, size_t i)
{
    struct merge_head head = merge->heads[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= merge->count)
            break;
        if (child + 1 < merge->count && is_before(&merge->heads[child + 1], &merge->heads[child]))
            child++;
        if (!is_before(&merge->heads[child], &head))
            break;
        merge->heads[i] = merge->heads[child];
        i = child;
    }
    merge->heads[i] = head;
}

static bool advance(struct merge_head *head)
{
    if (!stream_next(head->stream, &head->raw)) {
        stream_finish(head->stream);
        return false;
    }
    head->time = trace_time(head->stream->trace, head->raw.timestamp);
    return true;
}

void merge_start(struct merge *merge, struct recording *recording)
{
    size_t streams = 0, order = 0;
    for (size_t i = 0; i < recording->trace_count; i++)
        streams += recording->traces[i].stream_count;
    *merge = (struct merge){
        .recording = recording,
        .heads = memory_zeroed(streams, sizeof *merge->heads),
        .decoded.values = memory_zeroed(recording->field_most, sizeof(struct value)),
    };
    for (size_t i = 0; i < recording->trace_count; i++)
        for (size_t k = 0; k < recording->traces[i].stream_count; k++) {
            struct merge_head *head = &merge->heads[merge->count];
            head->stream = &recording->traces[i].streams[k];
            head->order = order++;
            stream_rewind(head->stream);
            merge->count += advance(head);
        }
    for (size_t i = merge->count / 2; i-- > 0;)
        sink(merge, i);
}

/* The event of HEAD; false if it cannot be read. */
static bool decode(struct merge *merge, const struct merge_head *head, struct event *event)
{
    const struct trace *trace = head->stream->trace;
    const struct raw_event *raw = &head->raw;
    const struct event_class *class = raw->id < trace->class_limit ? trace->classes[raw->id] : NULL;
    *event = (struct event){
        .recording = merge->recording,
        .trace = trace,
        .class = class,
        .time = head->time,
        .cpu = trace->is_per_thread ? NO_CPU : raw->ring,
        .pid = raw->pid,
        .tid = raw->tid,
        .process = trace_task(trace, raw->pid),
        .thread = trace_task(trace, raw->tid),
        .values = merge->decoded.values,
    };
    if (!class) {
        stream_damaged(head->stream, raw->offset, "an event that is not in the metadata");
        return false;
    }
    const char *problem = decode_event(class, raw->payload, raw->size, &merge->decoded);
    event->value_count = merge->decoded.count;
    event->field_count = merge->decoded.fields;
    if (problem)
        stream_damaged(head->stream, raw->offset, problem);
    if (!problem && event->value_count > event->field_count)
        event->callers = &event->values[--event->value_count];
    return !problem;
}

/* EVENT points into the file, which stays mapped while its stream goes on. */
bool merge_next(struct merge *merge, struct event *event)
{
    while (merge->count) {
        struct merge_head *first = &merge->heads[0];
        bool is_good = decode(merge, first, event);
        if (!advance(first))
            *first = merge->heads[--merge->count];
        if (merge->count)
            sink(merge, 0);
        if (is_good)
            return true;
    }
    return false;
}

void merge_end(struct merge *merge)
{
    free(merge->heads);
    free(merge->decoded.values);
    *merge = (struct merge){0};
}
