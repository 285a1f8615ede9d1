/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chrome's trace events: an array of JSON objects. Times are in microseconds, as a number with
 * three decimals; they count from the first event, since a double has not enough digits for
 * nanoseconds since the epoch; the time of the first event is stored beside the array.
 */
#include "base/json.h"
#include "export.h"
#include "print/text.h"
#include "trace/value_text.h"

#include <stdlib.h>

static void begin(struct export *export)
{
    text_append(&export->line, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
    export_put(export);
}

/* The beginning of an object; a comma before all but the first. */
static struct bytes *open_object(struct export *export, const char *phase, uint32_t pid,
                                 uint32_t tid)
{
    struct bytes *line = &export->line;
    text_append(line, export->size > 60 ? ",\n" : "\n");
    json_open(line, NULL, '{');
    json_string(line, "ph", phase);
    json_natural(line, "pid", pid);
    json_natural(line, "tid", tid);
    return line;
}

static void close_object(struct export *export)
{
    text_append(&export->line, "}");
    export_put(export);
}

static void append_time(struct export *export, const struct event *event)
{
    uint64_t ns = (uint64_t)(event->time - export->start);
    json_natural(&export->line, "ts", ns / 1000);
    text_char(&export->line, '.');
    text_zeros(&export->line, ns % 1000, 3);
}

/* Addresses and bit sets are for people here, and no number of JavaScript has their 64 bits. */
static void append_value(struct bytes *line, const struct field *field, const struct value *value)
{
    bool is_hex = field->kind == FIELD_HEX || field->kind == FIELD_POINTER;
    if (!is_hex || decode_label(field, value)) {
        text_json_value(line, field, value);
        return;
    }
    text_char(line, '"');
    text_hex(line, value->natural);
    text_char(line, '"');
}

static void append_arguments(struct bytes *line, const struct event *event)
{
    json_open(line, "args", '{');
    for (size_t i = 0; i < event->value_count; i++) {
        json_key(line, event->class->fields[i].name);
        append_value(line, &event->class->fields[i], &event->values[i]);
    }
    text_char(line, '}');
}

static void name_track(struct export *export, const char *what, uint32_t pid, uint32_t tid,
                       const char *name)
{
    struct bytes *line = open_object(export, "M", pid, tid);
    json_string(line, "name", what);
    json_open(line, "args", '{');
    json_string(line, "name", name);
    json_close(line, '}');
    close_object(export);
}

static void process(struct export *export, const struct event *event)
{
    struct bytes name = {0};
    export_process_name(export, event, &name);
    text_char(&name, '\0');
    name_track(export, "process_name", event->process, event->process, (const char *)name.data);
    bytes_free(&name);
}

static void thread(struct export *export, const struct event *event)
{
    name_track(export, "thread_name", event->process, event->thread,
               event->pid == event->tid ? "main" : "thread");
}

/* CPUs are the threads of process 0, which no program is. */
static void cpu(struct export *export, const struct event *event)
{
    bool is_new;
    uint32_t machine = export_machine(event);
    tracks_find(&export->tracks, track_id(TRACK_CPUS, machine, 0), &is_new);
    if (is_new) {
        char *name = export_names_hosts(export) ? memory_format("CPUs of %s", event->trace->host)
                                                : memory_format("CPUs");
        name_track(export, "process_name", machine, machine, name);
        free(name);
    }
    name_track(export, "thread_name", machine, machine + event->cpu, "CPU");
}

static void mark(struct export *export, const struct event *event, enum mark mark, const char *name)
{
    static const char *const phases[] = {"i", "B", "E", "E"};
    struct bytes *line = open_object(export, phases[mark], event->process, event->thread);
    append_time(export, event);
    if (mark == MARK_INSTANT)
        json_string(line, "s", "t");
    if (name) {
        json_string(line, "cat", event->class->provider);
        json_string(line, "name", name);
    }
    if (mark != MARK_CLOSE)
        append_arguments(line, event);
    close_object(export);
}

static void mark_async(struct export *export, const struct event *event, enum mark mark,
                       const char *name, struct slice id)
{
    struct bytes *line =
        open_object(export, mark == MARK_BEGIN ? "b" : "e", event->process, event->thread);
    append_time(export, event);
    json_string(line, "cat", name); /* with the identity: each pair has its own */
    json_string(line, "name", name);
    json_open(line, "id2", '{');
    json_slice(line, "local", id);
    json_close(line, '}');
    append_arguments(line, event);
    close_object(export);
}

static void mark_cpu(struct export *export, const struct event *event, const char *name)
{
    struct bytes *line =
        open_object(export, "i", export_machine(event), export_machine(event) + event->cpu);
    append_time(export, event);
    json_string(line, "s", "t");
    json_string(line, "cat", event->class->provider);
    json_string(line, "name", name);
    json_open(line, "args", '{');
    json_natural(line, "pid", event->pid);
    json_natural(line, "tid", event->tid);
    json_close(line, '}');
    close_object(export);
}

static void count(struct export *export, const struct event *event, uint64_t track)
{
    (void)track;
    open_object(export, "C", event->process, event->thread);
    append_time(export, event);
    json_string(&export->line, "name", export_label(event));
    append_arguments(&export->line, event);
    close_object(export);
}

static void end(struct export *export)
{
    text_append(&export->line, "\n], \"otherData\": {\"start\": \"");
    text_natural(&export->line, (uint64_t) export->start);
    text_append(&export->line, "\"}}\n");
    export_put(export);
}

const struct export_writer export_chrome = {
    .nests = true,
    .begin = begin,
    .process = process,
    .thread = thread,
    .cpu = cpu,
    .mark = mark,
    .mark_async = mark_async,
    .mark_cpu = mark_cpu,
    .count = count,
    .end = end,
};
