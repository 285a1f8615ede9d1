/* SPDX-License-Identifier: BSD-2-Clause */
/* One object a line; other tools rely on its members: see sdt-report(1). */
#include "print/text.h"
#include "report.h"
#include "trace/value_text.h"

static void begin(struct report *report)
{
    (void)report;
}

static void append_number(struct bytes *line, const char *name, uint64_t number)
{
    text_append(line, name);
    text_natural(line, number);
}

static void append_string(struct bytes *line, const char *name, const char *text)
{
    text_append(line, name);
    text_json_string(line, text);
}

static void print_event(struct report *report, const struct event *event)
{
    struct bytes *line = &report->line;
    const struct event_class *class = event->class;
    append_number(line, "{\"time\": ", (uint64_t)event->time);
    if (event->cpu == NO_CPU)
        text_append(line, ", \"cpu\": null");
    else
        append_number(line, ", \"cpu\": ", event->cpu);
    append_number(line, ", \"pid\": ", event->pid);
    append_number(line, ", \"tid\": ", event->tid);
    append_string(line, ", \"provider\": ", class->provider);
    append_string(line, ", \"name\": ", class->name);
    append_string(line, ", \"function\": ", class->function);
    text_append(line, ", \"args\": {");
    for (size_t i = 0; i < event->value_count; i++) {
        append_string(line, i ? ", " : "", class->fields[i].name);
        text_append(line, ": ");
        text_json_value(line, &class->fields[i], &event->values[i]);
    }
    text_char(line, '}');
    report_stack_json(report, event);
    if (report->marked)
        snapshot_text_json(line, report->marked, report->seen - 1);
    text_append(line, "}\n");
    report_put(report);
}

static void end(struct report *report)
{
    (void)report;
}

const struct report_printer report_json = {begin, print_event, end};
