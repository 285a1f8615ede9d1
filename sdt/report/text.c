/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One line an event, in columns. Their widths come from the metadata, or grow, since events are not
 * known before they are printed.
 */
#include "report.h"

#include "print/text.h"
#include "stack.h"
#include "trace/value_text.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PROBE = 40 };
static const char dim[] = "\033[2m", bold[] = "\033[1m", plain[] = "\033[0m";

static struct {
    size_t time, host, task, probe; /* widths */
    int64_t before;
} layout;

static void find_widths(struct report *report)
{
    layout.time = report->time == TIME_ABSOLUTE ? strlen("2026-11-22 14:03:07.123456789")
                                                : strlen("12345.123456789");
    layout.task = strlen("1234567/1234567");
    layout.probe = strlen("PROBE");
    layout.before = 0;
    layout.host = strlen("HOST");
    for (size_t i = 0; i < report->recording.machine_count; i++) {
        size_t length = strlen(report->recording.machines[i].host);
        if (length > layout.host)
            layout.host = length < MAX_PROBE ? length : MAX_PROBE;
    }
    for (size_t i = 0; i < report->recording.probe_count; i++) {
        size_t start = report->line.size;
        text_escaped(&report->line, slice_of(report->recording.probes[i].label));
        size_t length = report->line.size - start;
        if (length > layout.probe)
            layout.probe = length < MAX_PROBE ? length : MAX_PROBE;
        report->line.size = start;
    }
}

static void begin(struct report *report)
{
    find_widths(report);
    printf("%-*s  ", (int)layout.time, report->time == TIME_DELTA ? "SINCE BEFORE" : "TIME");
    if (report->shows_hosts)
        printf("%-*s  ", (int)layout.host, "HOST");
    printf("CPU  %-*s  %-*s  ARGUMENTS\n", (int)layout.task, "PID/TID", (int)layout.probe, "PROBE");
}

static void paint(struct report *report, const char *colour)
{
    if (report->has_colour)
        text_append(&report->line, colour);
}

/* Pad what was appended since START to WIDTH; numbers stand at the right. */
static void align_right(struct bytes *line, size_t start, size_t width)
{
    size_t length = line->size - start;
    if (length >= width)
        return;
    text_pad(line, start, width);
    memmove(line->data + start + (width - length), line->data + start, length);
    memset(line->data + start, ' ', width - length);
}

static void append_time(struct report *report, const struct event *event)
{
    struct bytes *line = &report->line;
    size_t start = line->size;
    if (report->time == TIME_ABSOLUTE)
        text_time(line, event->time);
    else if (report->time == TIME_RELATIVE)
        text_duration(line, event->time - report->start);
    else
        text_duration(line, report->printed ? event->time - layout.before : 0);
    align_right(line, start, layout.time);
    layout.before = event->time;
}

static void append_task(struct bytes *line, const struct event *event)
{
    size_t start = line->size;
    text_natural(line, event->pid);
    text_char(line, '/');
    text_natural(line, event->tid);
    text_pad(line, start, layout.task);
}

/* A function as a call, whose frame says nothing to a reader. */
static void append_arguments(struct bytes *line, const struct event *event)
{
    size_t start = line->size;
    text_char(line, ' ');
    if (event_append_call(line, event))
        return;
    line->size = start;
    event_append_arguments(line, event);
}

void report_text_head(struct report *report, const struct event *event, const char *probe)
{
    struct bytes *line = &report->line;
    paint(report, dim);
    append_time(report, event);
    text_append(line, "  ");
    size_t start = line->size;
    if (report->shows_hosts) {
        text_escaped(line, slice_of(event->trace->host));
        text_pad(line, start, layout.host + 2);
        start = line->size;
    }
    if (event->cpu == NO_CPU)
        text_char(line, '-');
    else
        text_natural(line, event->cpu);
    align_right(line, start, strlen("CPU"));
    text_append(line, "  ");
    append_task(line, event);
    paint(report, plain);
    text_append(line, "  ");
    paint(report, bold);
    start = line->size;
    text_escaped(line, slice_of(probe));
    if (event->field_count)
        text_pad(line, start, layout.probe + 1);
    paint(report, plain);
}

void report_text_duration(struct bytes *to, int64_t ns)
{
    if (ns < 0)
        return;
    text_append(to, " <");
    text_latency(to, (double)ns);
    text_char(to, '>');
}

static void print_event(struct report *report, const struct event *event)
{
    struct bytes *line = &report->line;
    report_text_head(report, event, report->recording.probes[event->class->probe].label);
    append_arguments(line, event);
    report_text_duration(line, report->has_calls ? report->call_ns : -1);
    text_char(line, '\n');
    if (report->shows_stack)
        stack_text(&report->line, STACK_INDENT, &report->symbols, event);
    if (report->marked)
        snapshot_text_append(line, report->marked, report->seen - 1);
    report_put(report);
}

const struct report_printer report_text = {begin, print_event, NULL};
