/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests instead of events (requests.h): a row for each, in order of their begins; with a limit,
 * the slowest. A request that crosses processes shows its parts in the order in which they began.
 */
#include "base/json.h"
#include "base/table.h"
#include "print/text.h"
#include "report.h"

#include <stdlib.h>

static void take(struct report *report, const struct event *event)
{
    requests_take(&report->requests, &report->match, event);
}

static uint64_t events_of(const struct request *request)
{
    uint64_t events = 0;
    for (const struct request_part *part = request->parts; part; part = part->next)
        events += part->events;
    return events;
}

/* Those that are shown; the caller's. */
static const struct request **chosen(const struct report *report, size_t *count)
{
    size_t most = report->most < SIZE_MAX ? (size_t)report->most : SIZE_MAX;
    return requests_slowest(&report->requests, most, count);
}

/* ---- For people. ---- */

static char *text_of_duration(int64_t ns)
{
    struct bytes text = {0};
    text_latency(&text, (double)ns);
    return bytes_take_text(&text);
}

static char *text_of_time(int64_t time)
{
    struct bytes text = {0};
    text_time(&text, time);
    return bytes_take_text(&text);
}

/* `PROGRAM-PID 1.20 ms`, with the host where there are several recordings. */
static char *text_of_parts(const struct report *report, const struct request *request)
{
    struct bytes text = {0};
    for (const struct request_part *part = request->parts; part; part = part->next) {
        text_append(&text, part == request->parts ? "" : ", ");
        if (report->shows_hosts) {
            text_escaped(&text, slice_of(part->trace->host));
            text_char(&text, ':');
        }
        text_escaped(&text, slice_of(part->trace->program));
        text_char(&text, '-');
        text_natural(&text, part->pid);
        text_char(&text, ' ');
        text_latency(&text, (double)(part->last - part->first));
    }
    return bytes_take_text(&text);
}

static void print_table(struct report *report)
{
    static const char *const titles[] = {"REQUEST", "BEGIN", "DURATION", "EVENTS", "PROCESSES"};
    struct table table;
    size_t count;
    const struct request **list = chosen(report, &count);
    table_start(&table, titles, sizeof titles / sizeof *titles);
    for (size_t i = 0; i < count; i++) {
        char **cells = table_row(&table);
        struct bytes key = {0};
        text_escaped(&key, slice_of(list[i]->key));
        cells[0] = bytes_take_text(&key);
        cells[1] = text_of_time(list[i]->first);
        cells[2] = text_of_duration(list[i]->last - list[i]->first);
        cells[3] = memory_format("%llu", (unsigned long long)events_of(list[i]));
        cells[4] = text_of_parts(report, list[i]);
    }
    table_print(&table);
    free(list);
    requests_tell(&report->requests);
}

/* ---- For scripts: an object a line. ---- */

static void append_span(struct bytes *line, int64_t first, int64_t last, uint64_t events)
{
    json_integer(line, "time", first);
    json_integer(line, "duration", last - first);
    json_natural(line, "events", events);
}

static void print_object(struct report *report, const struct request *request)
{
    struct bytes *line = &report->line;
    json_open(line, NULL, '{');
    json_string(line, "request", request->key);
    append_span(line, request->first, request->last, events_of(request));
    json_open(line, "parts", '[');
    for (const struct request_part *part = request->parts; part; part = part->next) {
        json_open(line, NULL, '{');
        json_string(line, "host", part->trace->host);
        json_string(line, "program", part->trace->program);
        json_natural(line, "pid", part->pid);
        append_span(line, part->first, part->last, part->events);
        json_close(line, '}');
    }
    json_close(line, ']');
    text_append(line, "}\n");
    report_put(report);
}

static void print_objects(struct report *report)
{
    size_t count;
    const struct request **list = chosen(report, &count);
    for (size_t i = 0; i < count; i++)
        print_object(report, list[i]);
    free(list);
    requests_tell(&report->requests);
}

const struct report_printer report_requests = {NULL, take, print_table};
const struct report_printer report_requests_json = {NULL, take, print_objects};
