/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Comma-separated values (RFC 4180). If all events that are printed are of one probe whose sites
 * agree about their arguments, or are all entries or all returns of functions, each argument is a
 * column; otherwise one column holds them all as name=value. This must be known before the first
 * line, so the events are read once before, up to the first event of a second probe.
 */
#include "print/text.h"
#include "report.h"
#include "trace/merge.h"
#include "trace/value_text.h"

#include <string.h>

static const struct trace_probe *only; /* NULL: there are several */

/* Whether the columns of A are those of B: a function's, another's. */
static bool is_alike(const struct trace_probe *a, const struct trace_probe *b)
{
    return a == b || (a->function && b->function && !strcmp(a->name, b->name) &&
                      trace_same_fields(a->first, b->first));
}

/* The one probe of all events that pass; NULL if there are several, or none. */
static const struct trace_probe *find_only(struct report *report)
{
    struct merge merge;
    struct event event;
    const struct trace_probe *found = NULL;
    bool is_one = true;
    uint64_t passed = 0;
    merge_start(&merge, &report->recording);
    while (is_one && passed < report->limit && merge_next(&merge, &event)) {
        if (!filter_passes(&report->filter, &event))
            continue;
        const struct trace_probe *probe = &report->recording.probes[event.class->probe];
        is_one = probe->is_uniform && (!found || is_alike(found, probe));
        found = probe;
        passed++;
    }
    merge_end(&merge);
    return is_one ? found : NULL;
}

/* Make a field of what was appended since START: in quotes, if it needs them. It has no newline. */
static void finish_field(struct bytes *line, size_t start)
{
    const char *field = (const char *)line->data + start;
    size_t length = line->size - start, quotes = 0;
    bool is_plain = true;
    for (size_t i = 0; i < length; i++) {
        quotes += field[i] == '"';
        is_plain = is_plain && field[i] != '"' && field[i] != ',';
    }
    if (is_plain)
        return;
    bytes_append(line, NULL, quotes + 2);
    char *from = (char *)line->data + start + length, *to = (char *)line->data + line->size;
    *--to = '"';
    while (from > (char *)line->data + start) {
        *--to = *--from;
        if (*from == '"')
            *--to = '"';
    }
    *--to = '"';
}

static void append_field(struct bytes *line, struct slice text)
{
    size_t start = line->size;
    text_escaped(line, text);
    finish_field(line, start);
}

static void begin(struct report *report)
{
    struct bytes *line = &report->line;
    only = find_only(report);
    text_append(line, report->shows_hosts ? "time,host,cpu" : "time,cpu");
    text_append(line, ",pid,tid,provider,name,function");
    for (size_t i = 0; only && i < only->first->field_count; i++) {
        text_char(line, ',');
        append_field(line, slice_of(only->first->fields[i].name));
    }
    text_append(line, only ? "\r\n" : ",args\r\n");
    report_put(report);
}

/* Strings have their quotes only where they stand among others. */
static void append_columns(struct bytes *line, const struct event *event)
{
    for (size_t i = 0; i < event->class->field_count; i++) {
        const struct field *field = &event->class->fields[i];
        text_char(line, ',');
        size_t start = line->size;
        if (i >= event->value_count)
            continue;
        if (field->kind == FIELD_STRING)
            text_escaped(line, event->values[i].text);
        else
            text_value(line, field, &event->values[i]);
        finish_field(line, start);
    }
}

static void append_together(struct bytes *line, const struct event *event)
{
    text_char(line, ',');
    size_t start = line->size;
    for (size_t i = 0; i < event->value_count; i++) {
        text_append(line, i ? " " : "");
        text_escaped(line, slice_of(event->class->fields[i].name));
        text_char(line, '=');
        text_value(line, &event->class->fields[i], &event->values[i]);
    }
    finish_field(line, start);
}

static void print_event(struct report *report, const struct event *event)
{
    struct bytes *line = &report->line;
    const uint64_t numbers[] = {event->pid, event->tid};
    const char *const names[] = {event->class->provider, event->class->name,
                                 event->class->function};
    text_natural(line, (uint64_t)event->time);
    text_char(line, ',');
    if (report->shows_hosts) {
        append_field(line, slice_of(event->trace->host));
        text_char(line, ',');
    }
    if (event->cpu != NO_CPU)
        text_natural(line, event->cpu);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        text_char(line, ',');
        text_natural(line, numbers[i]);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        text_char(line, ',');
        append_field(line, slice_of(names[i]));
    }
    if (only)
        append_columns(line, event);
    else
        append_together(line, event);
    text_append(line, "\r\n");
    report_put(report);
}

const struct report_printer report_csv = {begin, print_event, NULL};
