/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Perfetto's format: a Trace is a sequence of packets, each with a track's description or an event
 * on one. The numbers of fields are those of protos/perfetto/trace in its sources; tests/ has the
 * few messages that are used here. Times are ns since the epoch, in the trace's own clock.
 */
#include "base/hash.h"
#include "base/protobuf.h"
#include "export.h"
#include "trace/decode.h"
#include "trace/value_text.h"

#include <stdlib.h>

enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_TRACK = 60 };
enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_IS_PROCESS = 3,
    TRACK_IS_THREAD = 4,
    TRACK_PARENT = 5,
    TRACK_IS_COUNTER = 8
};
enum { COUNTER_UNIT = 6 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID = 2 };
enum {
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    EVENT_CATEGORY = 22,
    EVENT_NAME = 23,
    EVENT_COUNTER = 30,
    EVENT_COUNTER_DOUBLE = 44
};
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum {
    ANNOTATION_BOOL = 2,
    ANNOTATION_UINT = 3,
    ANNOTATION_INT = 4,
    ANNOTATION_DOUBLE = 5,
    ANNOTATION_STRING = 6,
    ANNOTATION_POINTER = 7,
    ANNOTATION_NAME = 10
};

/* Any but 0: all packets are of one writer, in order. */
enum { SEQUENCE = 1 };

static size_t open_packet(struct export *export)
{
    size_t packet = protobuf_open(&export->line, TRACE_PACKET);
    protobuf_natural(&export->line, PACKET_SEQUENCE, SEQUENCE);
    return packet;
}

static void close_packet(struct export *export, size_t packet)
{
    protobuf_close(&export->line, packet);
    export_put(export);
}

/* A track of which NAME is all there is to say; PARENT may be 0. */
static void describe(struct export *export, uint64_t id, uint64_t parent, struct slice name)
{
    size_t packet = open_packet(export), track = protobuf_open(&export->line, PACKET_TRACK);
    protobuf_natural(&export->line, TRACK_UUID, id);
    protobuf_string(&export->line, TRACK_NAME, name);
    if (parent)
        protobuf_natural(&export->line, TRACK_PARENT, parent);
    protobuf_close(&export->line, track);
    close_packet(export, packet);
}

static void process(struct export *export, const struct event *event)
{
    struct bytes *line = &export->line, name = {0};
    size_t packet = open_packet(export), track = protobuf_open(line, PACKET_TRACK);
    export_process_name(export, event, &name);
    protobuf_natural(line, TRACK_UUID, track_id(TRACK_PROCESS, event->process, 0));
    size_t inner = protobuf_open(line, TRACK_IS_PROCESS);
    protobuf_integer(line, PROCESS_PID, event->process);
    protobuf_string(line, PROCESS_NAME, (struct slice){(const char *)name.data, name.size});
    protobuf_close(line, inner);
    protobuf_close(line, track);
    close_packet(export, packet);
    bytes_free(&name);
}

static void thread(struct export *export, const struct event *event)
{
    struct bytes *line = &export->line;
    size_t packet = open_packet(export), track = protobuf_open(line, PACKET_TRACK);
    protobuf_natural(line, TRACK_UUID, track_id(TRACK_THREAD, event->process, event->tid));
    protobuf_natural(line, TRACK_PARENT, track_id(TRACK_PROCESS, event->process, 0));
    size_t inner = protobuf_open(line, TRACK_IS_THREAD);
    protobuf_integer(line, THREAD_PID, event->process);
    protobuf_integer(line, THREAD_TID, event->thread);
    protobuf_close(line, inner);
    protobuf_close(line, track);
    close_packet(export, packet);
}

static void cpu(struct export *export, const struct event *event)
{
    bool is_new;
    uint32_t machine = export_machine(event);
    uint64_t parent = track_id(TRACK_CPUS, machine, 0);
    tracks_find(&export->tracks, parent, &is_new);
    char *all = export_names_hosts(export) ? memory_format("CPUs of %s", event->trace->host)
                                           : memory_format("CPUs");
    char *one = memory_format("CPU %u", event->cpu);
    if (is_new)
        describe(export, parent, 0, slice_of(all));
    describe(export, track_id(TRACK_CPU, machine, event->cpu), parent, slice_of(one));
    free(all);
    free(one);
}

static void counter(struct export *export, const struct event *event, uint64_t id)
{
    struct bytes *line = &export->line;
    size_t packet = open_packet(export), track = protobuf_open(line, PACKET_TRACK);
    protobuf_natural(line, TRACK_UUID, id);
    protobuf_string(line, TRACK_NAME, slice_of(export_label(event)));
    protobuf_natural(line, TRACK_PARENT, track_id(TRACK_PROCESS, event->process, 0));
    size_t counter = protobuf_open(line, TRACK_IS_COUNTER);
    if (event->class->fields[0].unit)
        protobuf_string(line, COUNTER_UNIT, slice_of(event->class->fields[0].unit));
    protobuf_close(line, counter);
    protobuf_close(line, track);
    close_packet(export, packet);
}

static void append_value(struct bytes *line, const struct field *field, const struct value *value)
{
    struct bytes text = {0};
    const char *label = field->label_count ? decode_label(field, value) : NULL;
    if (label) {
        protobuf_string(line, ANNOTATION_STRING, slice_of(label));
        return;
    }
    switch (field->kind) {
    case FIELD_SIGNED:
        protobuf_integer(line, ANNOTATION_INT, value->number);
        break;
    case FIELD_UNSIGNED:
        protobuf_natural(line, ANNOTATION_UINT, value->natural);
        break;
    case FIELD_HEX:
    case FIELD_POINTER:
        protobuf_natural(line, ANNOTATION_POINTER, value->natural);
        break;
    case FIELD_BOOL:
        protobuf_natural(line, ANNOTATION_BOOL, value->natural);
        break;
    case FIELD_FLOAT:
    case FIELD_DOUBLE:
        protobuf_double(line, ANNOTATION_DOUBLE, value->real);
        break;
    case FIELD_STRING:
        protobuf_string(line, ANNOTATION_STRING, value->text);
        break;
    default:
        text_value(&text, field, value);
        protobuf_string(line, ANNOTATION_STRING,
                        (struct slice){(const char *)text.data, text.size});
        bytes_free(&text);
        break;
    }
}

static void append_arguments(struct bytes *line, const struct event *event)
{
    for (size_t i = 0; i < event->value_count; i++) {
        size_t annotation = protobuf_open(line, EVENT_ANNOTATION);
        protobuf_string(line, ANNOTATION_NAME, slice_of(event->class->fields[i].name));
        append_value(line, &event->class->fields[i], &event->values[i]);
        protobuf_close(line, annotation);
    }
}

struct diag_place {
    size_t packet, event;
};

static struct diag_place open_event(struct export *export, const struct event *event, unsigned type,
                                    uint64_t track)
{
    struct bytes *line = &export->line;
    struct diag_place place = {.packet = open_packet(export)};
    protobuf_natural(line, PACKET_TIMESTAMP, (uint64_t)event->time);
    place.event = protobuf_open(line, PACKET_EVENT);
    protobuf_natural(line, EVENT_TYPE, type);
    protobuf_natural(line, EVENT_TRACK, track);
    return place;
}

static void close_event(struct export *export, struct diag_place place)
{
    protobuf_close(&export->line, place.event);
    close_packet(export, place.packet);
}

static void append_name(struct bytes *line, const struct event *event, const char *name)
{
    protobuf_string(line, EVENT_CATEGORY, slice_of(event->class->provider));
    protobuf_string(line, EVENT_NAME, slice_of(name));
}

static void mark(struct export *export, const struct event *event, enum mark mark, const char *name)
{
    static const unsigned types[] = {TYPE_INSTANT, TYPE_BEGIN, TYPE_END, TYPE_END};
    struct diag_place place =
        open_event(export, event, types[mark], track_id(TRACK_THREAD, event->process, event->tid));
    if (name)
        append_name(&export->line, event, name);
    if (mark != MARK_CLOSE)
        append_arguments(&export->line, event);
    close_event(export, place);
}

/* Each name and identity in a process has a track, of that name: the viewer joins those. */
static uint64_t async_track(const struct event *event, const char *name, struct slice id)
{
    uint64_t hash = hash_bytes(HASH_START ^ event->process, name, strlen(name));
    hash = hash_bytes(hash, id.text, id.length);
    return hash >> (64 - TRACK_KIND_SHIFT) | (uint64_t)TRACK_ASYNC << TRACK_KIND_SHIFT;
}

static void mark_async(struct export *export, const struct event *event, enum mark mark,
                       const char *name, struct slice id)
{
    uint64_t track = async_track(event, name, id);
    if (mark == MARK_BEGIN)
        describe(export, track, track_id(TRACK_PROCESS, event->process, 0), slice_of(name));
    struct diag_place place =
        open_event(export, event, mark == MARK_BEGIN ? TYPE_BEGIN : TYPE_END, track);
    if (mark == MARK_BEGIN)
        append_name(&export->line, event, name);
    append_arguments(&export->line, event);
    close_event(export, place);
}

static void append_number(struct bytes *line, const char *name, uint64_t number)
{
    size_t annotation = protobuf_open(line, EVENT_ANNOTATION);
    protobuf_string(line, ANNOTATION_NAME, slice_of(name));
    protobuf_natural(line, ANNOTATION_UINT, number);
    protobuf_close(line, annotation);
}

static void mark_cpu(struct export *export, const struct event *event, const char *name)
{
    struct diag_place place = open_event(export, event, TYPE_INSTANT,
                                         track_id(TRACK_CPU, export_machine(event), event->cpu));
    append_name(&export->line, event, name);
    append_number(&export->line, "pid", event->pid);
    append_number(&export->line, "tid", event->tid);
    close_event(export, place);
}

/* A counter is an int64; what does not fit is a double. */
static void count(struct export *export, const struct event *event, uint64_t track)
{
    const struct value *value = &event->values[0];
    enum field_kind kind = event->class->fields[0].kind;
    struct diag_place place = open_event(export, event, TYPE_COUNTER, track);
    if (kind == FIELD_FLOAT || kind == FIELD_DOUBLE)
        protobuf_double(&export->line, EVENT_COUNTER_DOUBLE, value->real);
    else if (kind == FIELD_UNSIGNED && value->natural > INT64_MAX)
        protobuf_double(&export->line, EVENT_COUNTER_DOUBLE, (double)value->natural);
    else
        protobuf_integer(&export->line, EVENT_COUNTER, value->number);
    close_event(export, place);
}

/* A part of a request, on its track: when it began, with its process, or ended. */
static void mark_part(struct export *export, uint64_t track, const struct request_part *part,
                      bool is_begin)
{
    struct bytes *line = &export->line;
    size_t packet = open_packet(export);
    protobuf_natural(line, PACKET_TIMESTAMP, (uint64_t)(is_begin ? part->first : part->last));
    size_t event = protobuf_open(line, PACKET_EVENT);
    protobuf_natural(line, EVENT_TYPE, is_begin ? TYPE_BEGIN : TYPE_END);
    protobuf_natural(line, EVENT_TRACK, track);
    if (is_begin) {
        char *name =
            memory_format("%s on %s (%u)", part->trace->program, part->trace->host, part->pid);
        protobuf_string(line, EVENT_CATEGORY, slice_of("request"));
        protobuf_string(line, EVENT_NAME, slice_of(name));
        append_number(line, "events", part->events);
        free(name);
    }
    protobuf_close(line, event);
    close_packet(export, packet);
}

/* Each request is a track, and each of its parts one in it, since parts may overlap in any way. */
static void end(struct export *export)
{
    size_t count;
    const struct request **list = requests_slowest(&export->requests, REQUESTS_SHOWN, &count);
    uint64_t all = track_id(TRACK_REQUEST, 0, 0);
    for (size_t i = 0; i < count; i++) {
        char *name = memory_format("%s %s", export->match.key_text, list[i]->key);
        uint64_t row = track_id(TRACK_REQUEST, (uint32_t)i + 1, 0), track = row;
        if (i == 0)
            describe(export, all, 0, slice_of("Requests"));
        describe(export, row, all, slice_of(name));
        for (const struct request_part *part = list[i]->parts; part; part = part->next) {
            describe(export, ++track, row, slice_of(name));
            mark_part(export, track, part, true);
            mark_part(export, track, part, false);
        }
        free(name);
    }
    free(list);
}

const struct export_writer export_perfetto = {
    .nests = true,
    .process = process,
    .thread = thread,
    .cpu = cpu,
    .counter = counter,
    .mark = mark,
    .mark_async = mark_async,
    .mark_cpu = mark_cpu,
    .count = count,
    .end = end,
    .shows_requests = true,
};
