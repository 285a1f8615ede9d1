/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * OpenTelemetry: pairs become spans. A span is the child of the innermost slice of its thread
 * (nested.h) in which it begins and ends; spans across threads, and those of an event loop, are
 * nobody's parents. It is written at its end.
 *
 * With --match, spans of one request have one trace, and the first span of a thread that has got a
 * message is the child of the span that has sent it.
 *
 * A single event is an event of the innermost span of its thread, and a log record where there is
 * no such span, where that has enough of them, or where the event names another trace. (All of them
 * as records would be what OpenTelemetry plans; but few receivers of traces show those, and a span
 * shows its events everywhere.)
 *
 * A file has JSON, a request a line. To a URL the same requests go in Protocol Buffers.
 */
#include "base/diag.h"
#include "export.h"
#include "message_ends.h"
#include "open_spans.h"
#include "otlp/send.h"
#include "otlp_batch.h"
#include "print/text.h"
#include "trace/value_text.h"

#include <stdlib.h>

static struct {
    struct open_spans spans;
    struct message_ends ends;
    const struct event *receiver; /* while that is received; NULL: by nobody's thread */
    struct otlp_batch batch;
    struct otlp_sender *sender; /* NULL: to a file */
    struct symbols symbols;
} state;

/* ---- Where it goes. ---- */

/* Only at the receive is it known who gets it: one that comes before its send gets nothing. */
static void received(void *data, const struct message *message)
{
    (void)data;
    if (state.receiver && message->send->ids)
        open_spans_receive(&state.spans, state.receiver, message->send->ids);
}

static int open_otlp(struct export *export)
{
    memset(&state, 0, sizeof state);
    request_traces_start(&state.spans.requests, &export->match);
    message_ends_start(&state.ends, &export->match, received, NULL);
    if (!otlp_is_url(export->path)) {
        state.batch.is_json = true;
        return output_open(&export->output, export->path, 0);
    }
    state.sender = otlp_connect(export->path);
    return state.sender ? 0 : -1;
}

static void put_request(struct export *export, enum otlp_signal signal)
{
    uint64_t count = otlp_batch_request(&state.batch, signal, &export->line);
    if (count && state.sender)
        otlp_send(state.sender, signal, &export->line, count);
    else if (count)
        text_char(&export->line, '\n');
    if (!state.sender)
        export_put(export);
    export->line.size = 0;
}

static void put_requests(struct export *export)
{
    for (unsigned signal = 0; signal < OTLP_SIGNALS; signal++)
        put_request(export, signal);
    otlp_batch_clear(&state.batch);
}

static void added(struct export *export, enum otlp_signal signal)
{
    if (otlp_batch_added(&state.batch, signal))
        put_requests(export);
}

static void end(struct export *export)
{
    put_requests(export);
    if (state.sender && otlp_finish(state.sender) != 0)
        export->has_failed = true;
    message_ends_free(&state.ends);
    request_traces_free(&state.spans.requests);
    open_spans_free(&state.spans);
    symbols_free(&state.symbols);
}

/* ---- Single events. ---- */

static void append_event(struct open_span *span, const struct event *event, const char *name)
{
    struct otlp_attributes attributes = {0};
    struct otlp otlp = {&span->events, state.batch.is_json};
    size_t place = otlp_element(&otlp, OTLP_SPAN_EVENTS);
    otlp_time(&otlp, OTLP_EVENT_TIME, (uint64_t)event->time);
    otlp_text(&otlp, OTLP_EVENT_NAME, slice_of(name));
    otlp_attributes_make(&attributes, otlp.is_json, OTLP_EVENT_ATTRIBUTES, &state.symbols, event);
    otlp_list(&otlp, OTLP_EVENT_ATTRIBUTES);
    otlp_elements(&otlp, &attributes.list);
    otlp_end_list(&otlp);
    otlp_close(&otlp, place);
    otlp_attributes_free(&attributes);
    span->event_count++;
}

/* For people; what programs need is in the attributes. */
static void append_body(const struct otlp *otlp, const struct event *event)
{
    struct bytes text = {0};
    size_t body = otlp_open(otlp, OTLP_LOG_BODY);
    event_append(&text, event);
    otlp_text(otlp, OTLP_VALUE_STRING, (struct slice){(const char *)text.data, text.size});
    otlp_close(otlp, body);
    bytes_free(&text);
}

/* The trace that EVENT names, else that of SPAN, which may be NULL. */
static void append_log_ids(const struct otlp *otlp, const struct event *event,
                           const struct open_span *span)
{
    struct otlp_ids ids;
    bool has_trace = request_traces_of(&state.spans.requests, event, ids.trace);
    bool has_span = otlp_ids_trace(event, ids.trace) && otlp_ids_span(event, ids.span);
    bool is_in_span = span && span->has_context && !open_spans_has_moved(span, event);
    if (span && (!has_trace || is_in_span)) {
        ids = span->ids;
        has_trace = has_span = true;
    }
    if (has_trace)
        otlp_id(otlp, OTLP_LOG_TRACE, ids.trace, sizeof ids.trace);
    if (has_span)
        otlp_id(otlp, OTLP_LOG_SPAN, ids.span, sizeof ids.span);
}

static void append_log(struct export *export, const struct event *event, const char *name,
                       const struct open_span *span)
{
    struct otlp_attributes attributes = {0};
    struct otlp otlp = otlp_batch_place(&state.batch, OTLP_SIGNAL_LOGS, event);
    size_t place = otlp_element(&otlp, OTLP_SCOPE_LOGS);
    otlp_time(&otlp, OTLP_LOG_TIME, (uint64_t)event->time);
    append_body(&otlp, event);
    otlp_attributes_make(&attributes, otlp.is_json, OTLP_LOG_ATTRIBUTES, &state.symbols, event);
    otlp_list(&otlp, OTLP_LOG_ATTRIBUTES);
    otlp_elements(&otlp, &attributes.list);
    otlp_end_list(&otlp);
    append_log_ids(&otlp, event, span);
    otlp_time(&otlp, OTLP_LOG_OBSERVED, (uint64_t)event->time);
    otlp_text(&otlp, OTLP_LOG_EVENT, slice_of(name));
    otlp_close(&otlp, place);
    otlp_attributes_free(&attributes);
    added(export, OTLP_SIGNAL_LOGS);
}

static bool names_other_trace(const struct event *event, const struct open_span *span)
{
    uint8_t trace[OTLP_TRACE_SIZE];
    return request_traces_of(&state.spans.requests, event, trace) &&
           memcmp(trace, span->ids.trace, sizeof trace) != 0;
}

/* ---- Messages. ---- */

/* EVENT is a send from SPAN, or from none. */
static void send(const struct event *event, const struct open_span *span)
{
    message_ends_take(&state.ends, event, SIDE_SEND, span ? &span->ids : NULL);
}

static void receive(const struct event *event)
{
    state.receiver = event;
    message_ends_take(&state.ends, event, SIDE_RECEIVE, NULL);
    state.receiver = NULL;
}

/* ---- Single events, and where they go. ---- */

static void single(struct export *export, const struct event *event, enum mark mark,
                   const char *name)
{
    struct open_span *span = open_spans_of_thread(&state.spans, event);
    (void)mark;
    receive(event);
    send(event, span);
    if (span && span->event_count < MAX_SPAN_EVENTS && !names_other_trace(event, span))
        append_event(span, event, name);
    else
        append_log(export, event, name, span);
}

/* ---- Spans. ---- */

static void begin_span(struct export *export, const struct event *event, const struct pair *pair)
{
    bool is_nested =
        !pair->match.expression && !event_set_has(&export->nested.loose, export->number);
    receive(event);
    struct open_span *span = open_spans_add(&state.spans, event, export->number, is_nested);
    send(event, span);
    span->name = pairs_slice_name(pair, event->class);
    otlp_attributes_make(&span->attributes, state.batch.is_json, OTLP_SPAN_ATTRIBUTES,
                         &state.symbols, event);
}

/* A parent that has ended before is none. */
static void settle_parent(struct open_span *span)
{
    if (!span->has_parent || open_spans_find(&state.spans, span->parent_number))
        return;
    span->has_parent = false;
    memcpy(span->ids.trace, span->own_trace, sizeof span->ids.trace);
}

/* Two begins of one pair were open at once in the thread: whose end this is, is a guess. */
static void append_overlap(const struct otlp *otlp)
{
    struct otlp_attribute attribute =
        otlp_attribute_open(otlp, OTLP_SPAN_ATTRIBUTES, "sdt.overlaps");
    otlp_flag(otlp, OTLP_VALUE_BOOL, true);
    otlp_attribute_close(otlp, attribute);
}

static void append_span(const struct otlp *otlp, const struct open_span *span, int64_t end,
                        bool overlaps)
{
    size_t place = otlp_element(otlp, OTLP_SCOPE_SPANS);
    otlp_id(otlp, OTLP_SPAN_TRACE, span->ids.trace, sizeof span->ids.trace);
    otlp_id(otlp, OTLP_SPAN_ID, span->ids.span, sizeof span->ids.span);
    if (span->has_parent || span->has_outer)
        otlp_id(otlp, OTLP_SPAN_PARENT, span->parent, sizeof span->parent);
    otlp_text(otlp, OTLP_SPAN_NAME, slice_of(span->name));
    otlp_choice(otlp, OTLP_SPAN_KIND, OTLP_KIND_INTERNAL);
    otlp_time(otlp, OTLP_SPAN_START, (uint64_t)span->time);
    otlp_time(otlp, OTLP_SPAN_END, (uint64_t)end);
    otlp_list(otlp, OTLP_SPAN_ATTRIBUTES);
    otlp_elements(otlp, &span->attributes.list);
    if (overlaps)
        append_overlap(otlp);
    otlp_end_list(otlp);
    otlp_list(otlp, OTLP_SPAN_EVENTS);
    otlp_elements(otlp, &span->events);
    otlp_end_list(otlp);
    otlp_close(otlp, otlp_open(otlp, OTLP_SPAN_STATUS)); /* unset: a probe does not say */
    otlp_close(otlp, place);
}

static void end_span(struct export *export, const struct event *event, const struct paired *paired)
{
    struct open_span *span = open_spans_find(&state.spans, paired->number);
    struct event begin = *event;
    begin.class = span->class;
    begin.pid = paired->pid;
    message_ends_take(&state.ends, event, SIDE_RECEIVE, NULL); /* nothing begins with it */
    send(event, span);
    settle_parent(span);
    otlp_attributes_add_end(&span->attributes, state.batch.is_json, OTLP_SPAN_ATTRIBUTES,
                            &state.symbols, event);
    struct otlp otlp = otlp_batch_place(&state.batch, OTLP_SIGNAL_SPANS, &begin);
    append_span(&otlp, span, event->time, paired->overlaps);
    open_spans_remove(&state.spans, span);
    added(export, OTLP_SIGNAL_SPANS);
}

/* A begin whose end is lost is a single event. */
static void slice(struct export *export, const struct event *event, const struct paired *paired)
{
    const struct pair *pair = &export->pairs.list[paired->pair];
    if (paired->kind == ROLE_END)
        end_span(export, event, paired);
    else if (event_set_has(&export->nested.ended, export->number))
        begin_span(export, event, pair);
    else
        single(export, event, MARK_INSTANT, export_label(event));
}

static void look(const struct event *event)
{
    request_traces_look(&state.spans.requests, event);
}

const struct export_writer export_otlp = {
    .looks_ahead = true,
    .knows_requests = true,
    .look = look,
    .open = open_otlp,
    .mark = single,
    .slice = slice,
    .end = end,
};
