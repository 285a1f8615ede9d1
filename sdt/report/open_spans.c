/* SPDX-License-Identifier: BSD-2-Clause */
/* See open_spans.h. */
#include "open_spans.h"

#include <stdlib.h>

static uint32_t thread_number(struct open_spans *spans, const struct event *event)
{
    bool is_new;
    uint32_t number =
        tracks_find(&spans->numbers, track_id(TRACK_THREAD, event->process, event->tid), &is_new)
            ->number;
    if (is_new) {
        spans->threads =
            memory_resize(spans->threads, ++spans->thread_count, sizeof *spans->threads);
        spans->threads[number] = (struct thread_spans){.last_time = INT64_MIN};
    }
    return number;
}

/* ---- The table. ---- */

static struct open_span **place_of(const struct open_spans *spans, uint64_t number)
{
    uint64_t hash = number * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    struct open_span **at = &spans->buckets[hash & (spans->bucket_count - 1)];
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    return at;
}

static void grow(struct open_spans *spans)
{
    struct open_spans bigger = {.bucket_count = spans->bucket_count ? 2 * spans->bucket_count : 64};
    bigger.buckets = memory_zeroed(bigger.bucket_count, sizeof(struct open_span *));
    for (size_t i = 0; i < spans->bucket_count; i++)
        for (struct open_span *span = spans->buckets[i], *next; span; span = next) {
            next = span->next;
            span->next = NULL;
            *place_of(&bigger, span->number) = span;
        }
    free(spans->buckets);
    spans->buckets = bigger.buckets;
    spans->bucket_count = bigger.bucket_count;
}

struct open_span *open_spans_find(const struct open_spans *spans, uint64_t number)
{
    return spans->bucket_count ? *place_of(spans, number) : NULL;
}

static struct open_span *innermost(const struct thread_spans *thread)
{
    return thread->count ? thread->stack[thread->count - 1] : NULL;
}

struct open_span *open_spans_of_thread(struct open_spans *spans, const struct event *event)
{
    uint32_t number = thread_number(spans, event);
    return innermost(&spans->threads[number]);
}

/* ---- Begins and ends. ---- */

static uint64_t ordinal_of(struct thread_spans *thread, int64_t time)
{
    thread->ordinal = time == thread->last_time ? thread->ordinal + 1 : 0;
    thread->last_time = time;
    return thread->ordinal;
}

bool open_spans_has_moved(const struct open_span *span, const struct event *event)
{
    uint8_t now[OTLP_SPAN_SIZE];
    return span->has_context && event->class->has_context && otlp_ids_span(event, now) &&
           memcmp(span->context, now, sizeof now) != 0;
}

void open_spans_receive(struct open_spans *spans, const struct event *event,
                        const struct otlp_ids *sender)
{
    struct thread_spans *thread = &spans->threads[thread_number(spans, event)];
    if (thread->count)
        return;
    thread->has_sender = true;
    thread->sender = *sender;
}

/* The sender of the message that THREAD has got, unless SPAN, which HAS_TRACE, is of another one.
 */
static void take_sender(struct thread_spans *thread, struct open_span *span, bool has_trace)
{
    const struct otlp_ids *sender = &thread->sender;
    bool is_wanted = thread->has_sender && !span->has_parent && !span->has_outer &&
                     (!has_trace || !memcmp(sender->trace, span->ids.trace, OTLP_TRACE_SIZE));
    thread->has_sender = false;
    if (!is_wanted)
        return;
    span->has_outer = true;
    memcpy(span->ids.trace, sender->trace, sizeof span->ids.trace);
    memcpy(span->own_trace, sender->trace, sizeof span->own_trace);
    memcpy(span->parent, sender->span, sizeof span->parent);
}

/* What the program says of its trace comes before what we make up. */
static bool find_parent(const struct open_spans *spans, struct open_span *span,
                        const struct open_span *outer, const struct event *event)
{
    bool has_trace = request_traces_of(&spans->requests, event, span->ids.trace);
    memcpy(span->own_trace, span->ids.trace, sizeof span->own_trace);
    span->has_context = event->class->has_context && otlp_ids_span(event, span->context);
    if (outer && open_spans_has_moved(outer, event))
        outer = NULL;
    if (outer && (!has_trace || memcmp(outer->ids.trace, span->ids.trace, OTLP_TRACE_SIZE) == 0)) {
        span->has_parent = true;
        span->parent_number = outer->number;
        memcpy(span->ids.trace, outer->ids.trace, sizeof span->ids.trace);
        memcpy(span->parent, outer->ids.span, sizeof span->parent);
    } else if (has_trace && otlp_ids_trace(event, span->own_trace)) {
        span->has_outer = otlp_ids_span(event, span->parent);
    }
    return has_trace;
}

struct open_span *open_spans_add(struct open_spans *spans, const struct event *event,
                                 uint64_t number, bool is_nested)
{
    uint32_t place = thread_number(spans, event);
    struct thread_spans *thread = &spans->threads[place];
    struct open_span *span = memory_zeroed(1, sizeof *span);
    *span = (struct open_span){.number = number,
                               .time = event->time,
                               .class = event->class,
                               .is_nested = is_nested,
                               .thread = place,
                               .ids = otlp_ids_make(event, ordinal_of(thread, event->time))};
    take_sender(thread, span, find_parent(spans, span, innermost(thread), event));
    if (spans->count == spans->bucket_count)
        grow(spans);
    *place_of(spans, number) = span;
    spans->count++;
    if (is_nested) {
        thread->stack = memory_with_room(thread->stack, thread->count, &thread->capacity,
                                         sizeof *thread->stack);
        thread->stack[thread->count++] = span;
    }
    return span;
}

static void free_span(struct open_span *span)
{
    otlp_attributes_free(&span->attributes);
    bytes_free(&span->events);
    free(span);
}

static void remove_from_stack(struct thread_spans *thread, const struct open_span *span)
{
    size_t i = thread->count;
    while (i && thread->stack[i - 1] != span)
        i--;
    if (i)
        memmove(&thread->stack[i - 1], &thread->stack[i],
                (thread->count-- - i) * sizeof(struct open_span *));
}

void open_spans_remove(struct open_spans *spans, struct open_span *span)
{
    if (span->is_nested)
        remove_from_stack(&spans->threads[span->thread], span);
    *place_of(spans, span->number) = span->next;
    spans->count--;
    free_span(span);
}

void open_spans_free(struct open_spans *spans)
{
    for (size_t i = 0; i < spans->bucket_count; i++)
        for (struct open_span *span = spans->buckets[i], *next; span; span = next) {
            next = span->next;
            free_span(span);
        }
    for (size_t i = 0; i < spans->thread_count; i++)
        free(spans->threads[i].stack);
    free(spans->buckets);
    free(spans->threads);
    tracks_free(&spans->numbers);
    *spans = (struct open_spans){0};
}
