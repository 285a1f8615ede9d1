/* SPDX-License-Identifier: BSD-2-Clause */
/* How many events there are of each probe, when, and what is missing of each stream. */
#include "base/table.h"
#include "print/text.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

struct tally {
    uint64_t count;
    int64_t first, last;
};

static struct tally *tallies; /* one for each probe */
static struct tally all;      /* of every event, also of those that do not pass */

static void begin(struct report *report)
{
    all = (struct tally){0};
    tallies = memory_zeroed(report->recording.probe_count, sizeof *tallies);
}

static void count(struct tally *tally, const struct event *event)
{
    if (tally->count++ == 0)
        tally->first = event->time;
    tally->last = event->time;
}

static void count_event(struct report *report, const struct event *event)
{
    (void)report;
    count(&tallies[event->class->probe], event);
    count(&all, event);
}

/* What is in the line, as a string of its own; the line is empty then. */
static char *take_line(struct report *report)
{
    text_char(&report->line, '\0');
    char *text = memory_format("%s", (const char *)report->line.data);
    report->line.size = 0;
    return text;
}

static char *natural(struct report *report, uint64_t number)
{
    text_natural(&report->line, number);
    return take_line(report);
}

static char *escaped(struct report *report, const char *text)
{
    text_escaped(&report->line, slice_of(text));
    return take_line(report);
}

static char *when(struct report *report, int64_t time)
{
    if (report->time == TIME_ABSOLUTE)
        text_time(&report->line, time);
    else
        text_duration(&report->line, time - report->start);
    return take_line(report);
}

static void print_probes(struct report *report)
{
    static const char *const titles[] = {"PROBE", "EVENTS", "PER SECOND", "FIRST", "LAST"};
    struct table table;
    table_start(&table, titles, sizeof titles / sizeof titles[0]);
    for (size_t i = 0; i < report->recording.probe_count; i++) {
        const struct tally *tally = &tallies[i];
        if (!tally->count)
            continue;
        char **row = table_row(&table);
        double time = (double)(all.last - all.first) / 1e9;
        row[0] = escaped(report, report->recording.probes[i].label);
        row[1] = natural(report, tally->count);
        row[2] = time > 0 ? memory_format("%.1f", (double)tally->count / time) : memory_format("-");
        row[3] = when(report, tally->first);
        row[4] = when(report, tally->last);
    }
    table_print(&table);
}

/* With several recordings, their directories are needed: all may have a trace of that name. */
static char *stream_name(struct report *report, const struct stream *stream)
{
    const struct trace *trace = stream->trace;
    return escaped(report, report->shows_hosts
                               ? stream->path
                               : stream->path + strlen(trace->path) - strlen(trace->name));
}

static void print_streams(struct report *report)
{
    static const char *const titles[] = {"STREAM",    "PROCESS",      "EVENTS",
                                         "DISCARDED", "PACKETS LOST", "DAMAGED"};
    struct table table;
    table_start(&table, titles, sizeof titles / sizeof titles[0]);
    for (size_t i = 0; i < report->recording.trace_count; i++) {
        const struct trace *trace = &report->recording.traces[i];
        for (size_t k = 0; k < trace->stream_count; k++) {
            const struct stream *stream = &trace->streams[k];
            char **row = table_row(&table);
            row[0] = stream_name(report, stream);
            row[1] = memory_format("%u", trace->pid);
            row[2] = natural(report, stream->events);
            row[3] = natural(report, stream->discarded);
            row[4] = natural(report, stream->missing);
            row[5] = natural(report, stream->damaged);
        }
    }
    table_print(&table);
}

static void end(struct report *report)
{
    text_natural(&report->line, all.count);
    text_append(&report->line, all.count == 1 ? " event" : " events");
    if (all.count) {
        text_append(&report->line, " in ");
        text_duration(&report->line, all.last - all.first);
        text_append(&report->line, " s, from ");
        text_time(&report->line, all.first);
    }
    text_append(&report->line, "\n\n");
    report_put(report);
    print_probes(report);
    if (all.count)
        putchar('\n');
    print_streams(report);
    if (report->snapshots.count)
        putchar('\n');
    snapshot_text_table(&report->snapshots, SIZE_MAX);
    free(tallies);
    tallies = NULL;
}

const struct report_printer report_summary = {begin, count_event, end};
