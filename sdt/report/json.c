/* SPDX-License-Identifier: BSD-2-Clause */
/* One object a line; other tools rely on its members: see sdt-report(1). */
#include "base/json.h"
#include "print/text.h"
#include "report.h"
#include "stack.h"
#include "trace/value_text.h"

static void print_event(struct report *report, const struct event *event)
{
    struct bytes *line = &report->line;
    const struct event_class *class = event->class;
    json_open(line, NULL, '{');
    json_natural(line, "time", (uint64_t)event->time);
    if (report->shows_hosts)
        json_string(line, "host", event->trace->host);
    if (event->cpu == NO_CPU)
        json_null(line, "cpu");
    else
        json_natural(line, "cpu", event->cpu);
    json_natural(line, "pid", event->pid);
    json_natural(line, "tid", event->tid);
    json_string(line, "provider", class->provider);
    json_string(line, "name", class->name);
    json_string(line, "function", class->function);
    json_open(line, "args", '{');
    for (size_t i = 0; i < event->value_count; i++) {
        json_key(line, class->fields[i].name);
        text_json_value(line, &class->fields[i], &event->values[i]);
    }
    json_close(line, '}');
    stack_json(line, &report->symbols, event);
    if (report->marked)
        snapshot_text_json(line, report->marked, report->seen - 1);
    text_append(line, "}\n");
    report_put(report);
}

const struct report_printer report_json = {NULL, print_event, NULL};
