/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One HTML page that needs nothing else. Its scripts and its style are in sdt/html/, and the build
 * makes one text of them, html_page.h. Between its two halves come the events, as base64, and what
 * they have in common, as JSON. Each event is one record; numbers have 7 bits in each byte, the low
 * ones first, and the highest bit set in all but the last byte:
 *
 *   ns since the record before
 *   class * 16 + is_same * 8 + mark  is_same: thread and CPU are those of the record before
 *   thread, CPU                      unless is_same; NO_CPU: not known
 *   how many records before          if it ends a slice: where that began
 *   arguments                        integers: numbers, signed ones as 2n or -2n-1; floating point:
 *                                    8 bytes; text and bytes: length * 2, and the bytes, or
 *                                    distance * 2 + 1, if the same text was so many bytes before
 *
 * Other forms were larger or slower: JSON takes 10 times as many bytes and is parsed into a million
 * objects; columns must all be in memory before the first byte is written. html/data.js reads this.
 */
#include "base/base64.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/varint.h"
#include "export.h"
#include "graph/page.h"
#include "html_page.h"
#include "print/text.h"
#include "trace/value_text.h"

#include <stdlib.h>
#include <string.h>

/* Slices of a thread, and slices across threads. An end whose begin is unknown (pairing.h) has more
 * added. */
enum page_mark {
    PAGE_INSTANT,
    PAGE_BEGIN,
    PAGE_END,
    PAGE_ASYNC_BEGIN,
    PAGE_ASYNC_END,
    PAGE_OVERLAPS = 3
};
enum { PAGE_SAME = 8 }; /* added to the mark */
enum { CACHE_SIZE = 4096, MAX_CACHE_TEXT = 256, PART = 3 << 14 };

/* The last text with one hash value. */
struct cached {
    uint64_t at; /* where its length is; text.size is 0: nowhere */
    struct bytes text;
};

static struct {
    struct bytes raw; /* records that are not written yet */
    uint64_t before;  /* bytes of records that are */
    int64_t time;     /* of the record before */
    uint32_t thread, cpu;
    uint64_t count;
    struct bytes processes, threads; /* JSON */
    struct cached *cache;
    uint32_t *first_class; /* of each trace */
} page;

/* ---- records ---- */

static void put_number(uint64_t number)
{
    varint_append(&page.raw, number);
}

/* Write the records so far: all, if they are the last, else groups of three bytes. */
static void put_records(struct export *export, bool is_last)
{
    size_t size = is_last ? page.raw.size : page.raw.size - page.raw.size % 3;
    base64_append(&export->line, page.raw.data, size);
    export_put(export);
    page.before += size;
    page.raw.size -= size;
    if (page.raw.size)
        memmove(page.raw.data, page.raw.data + size, page.raw.size);
}

static uint64_t hash(uint64_t start, const void *data, size_t size)
{
    uint64_t sum = hash_bytes(start, data, size);
    return sum ^ sum >> 32;
}

/* Texts repeat: paths, states, statements. */
static void put_text(const char *text, size_t length)
{
    uint64_t here = page.before + page.raw.size;
    if (length > 2 && length <= MAX_CACHE_TEXT) {
        struct cached *cached = &page.cache[hash(length, text, length) % CACHE_SIZE];
        if (cached->text.size == length && !memcmp(cached->text.data, text, length)) {
            put_number((here - cached->at) * 2 + 1);
            return;
        }
        cached->at = here;
        cached->text.size = 0;
        bytes_append(&cached->text, text, length);
    }
    put_number(length * 2);
    bytes_append(&page.raw, text, length);
}

/* What data.js calls a kind; types that it need not know arrive as text. */
static char field_letter(const struct field *field)
{
    switch (field->kind) {
    case FIELD_SIGNED:
        return 'i';
    case FIELD_UNSIGNED:
        return 'u';
    case FIELD_HEX:
    case FIELD_POINTER:
        return 'x';
    case FIELD_BOOL:
        return 'b';
    case FIELD_FLOAT:
    case FIELD_DOUBLE:
        return 'd';
    case FIELD_STRING:
        return 's';
    case FIELD_BYTES:
        return 'r';
    default:
        return 't';
    }
}

static void put_value(struct export *export, const struct field *field, const struct value *value)
{
    struct bytes *line = &export->line;
    switch (field_letter(field)) {
    case 'i':
        varint_append_signed(&page.raw, value->number);
        break;
    case 'u':
    case 'x':
    case 'b':
        put_number(value->natural);
        break;
    case 'd':
        bytes_append(&page.raw, &value->real, sizeof value->real);
        break;
    case 's':
    case 'r':
        put_text(value->text.text, value->text.length);
        break;
    default:
        text_value(line, field, value);
        put_text((const char *)line->data, line->size);
        line->size = 0;
        break;
    }
}

/* Up to the arguments. Time that goes back, in a damaged recording, stands still. */
static void put_head(struct export *export, const struct event *event, unsigned mark)
{
    bool is_new;
    uint64_t id = track_id(TRACK_THREAD, event->process, event->tid);
    uint32_t thread = tracks_find(&export->tracks, id, &is_new)->number;
    uint64_t class = page.first_class[event->trace - event->recording->traces] + event->class->id;
    bool is_same = page.count > 0 && thread == page.thread && event->cpu == page.cpu;
    if (page.count == 0)
        page.time = export->start;
    put_number(event->time > page.time ? (uint64_t)event->time - (uint64_t)page.time : 0);
    put_number(class * 16 + (is_same ? PAGE_SAME : 0) + mark);
    if (!is_same) {
        put_number(thread);
        put_number(event->cpu);
    }
    page.time = event->time > page.time ? event->time : page.time;
    page.thread = thread;
    page.cpu = event->cpu;
    page.count++;
}

static void put_arguments(struct export *export, const struct event *event)
{
    for (size_t i = 0; i < event->class->field_count; i++)
        if (i < event->value_count)
            put_value(export, &event->class->fields[i], &event->values[i]);
        else
            put_text("?", i < event->field_count); /* a context that was not there is empty */
    if (page.raw.size >= PART)
        put_records(export, false);
}

static void mark(struct export *export, const struct event *event, enum mark mark, const char *name)
{
    (void)mark, (void)name;
    put_head(export, event, PAGE_INSTANT);
    put_arguments(export, event);
}

static void slice(struct export *export, const struct event *event, const struct paired *paired)
{
    bool is_async = pair_is_async(&export->pairs.list[paired->pair]);
    if (paired->kind == ROLE_BEGIN) {
        put_head(export, event, is_async ? PAGE_ASYNC_BEGIN : PAGE_BEGIN);
    } else {
        unsigned end = is_async ? PAGE_ASYNC_END : PAGE_END;
        put_head(export, event, end + (paired->overlaps ? PAGE_OVERLAPS : 0));
        put_number(export->number - paired->number);
    }
    put_arguments(export, event);
}

/* ---- what events have in common ---- */

static void append_name(struct bytes *line, const char *before, const char *name)
{
    text_append(line, before);
    json_quote(line, slice_of(name));
}

static void append_number(struct bytes *line, const char *before, uint64_t number)
{
    text_append(line, before);
    text_natural(line, number);
}

static void process(struct export *export, const struct event *event)
{
    (void)export;
    append_number(&page.processes, page.processes.size ? ",\n[" : "\n[", event->process);
    append_name(&page.processes, ", ", event->trace->program);
    append_number(&page.processes, ", ", event->pid);
    append_number(&page.processes, ", ", event->trace->machine);
    append_name(&page.processes, ", ", event->trace->host);
    text_char(&page.processes, ']');
}

static void thread(struct export *export, const struct event *event)
{
    bool is_new;
    uint64_t id = track_id(TRACK_THREAD, event->process, event->tid);
    append_number(&page.threads, page.threads.size ? ",\n[" : "\n[",
                  tracks_find(&export->tracks, id, &is_new)->number);
    append_number(&page.threads, ", ", event->process);
    append_number(&page.threads, ", ", event->tid);
    text_char(&page.threads, ']');
}

static void append_role(struct export *export, const struct trace *trace,
                        const struct event_class *class)
{
    const struct role *role = pairs_role(&export->pairs, &export->recording, trace, class);
    if (role->kind == ROLE_NONE)
        return;
    append_number(&export->line, ", \"pair\": ", role->pair);
    append_name(&export->line,
                ", \"slice\": ", pairs_slice_name(&export->pairs.list[role->pair], class));
}

static void append_class(struct export *export, const struct trace *trace,
                         const struct event_class *class, uint32_t number)
{
    struct bytes *line = &export->line;
    append_number(line, "{\"id\": ", number);
    append_number(line, ", \"probe\": ", class->probe);
    append_name(line, ", \"function\": ", class->function);
    append_name(line, ", \"module\": ", class->module);
    append_name(line, ", \"place\": ", class->place);
    append_role(export, trace, class);
    text_append(line, ", \"fields\": [");
    for (size_t i = 0; i < class->field_count; i++) {
        append_name(line, i ? ", [" : "[", class->fields[i].name);
        text_append(line, ", \"");
        text_char(line, i < trace_arguments(class) ? field_letter(&class->fields[i]) : 'c');
        text_append(line, "\"]");
    }
    text_append(line, "]}");
}

static void append_classes(struct export *export)
{
    const char *comma = "\n";
    for (size_t i = 0; i < export->recording.trace_count; i++) {
        const struct trace *trace = &export->recording.traces[i];
        for (size_t k = 0; k < trace->class_limit; k++) {
            if (!trace->classes[k])
                continue;
            text_append(&export->line, comma);
            append_class(export, trace, trace->classes[k],
                         page.first_class[i] + trace->classes[k]->id);
            comma = ",\n";
        }
    }
}

/* How each pair is paired: by what, how many begins overlap, and what to do about that. */
static void append_pairs(struct export *export)
{
    struct bytes *line = &export->line;
    for (size_t i = 0; i < export->pairs.count; i++) {
        const struct pair *pair = &export->pairs.list[i];
        char *advice = pairs_advice(pair, &export->recording);
        append_name(line, i ? ",\n[" : "\n[", pair->begin);
        append_name(line, ", ", pair->clauses.match ? pair->clauses.match : "");
        append_number(line, ", ", pair->begins);
        append_number(line, ", ", pair->overlaps);
        append_name(line, ", ", advice);
        text_char(line, ']');
        free(advice);
    }
}

/* Of an event that the page has, its number, else -1. */
static void append_event_number(struct bytes *line, uint64_t number)
{
    if (number < page.count)
        append_number(line, ", ", number);
    else
        text_append(line, ", -1");
}

static void append_runs(struct bytes *line, const struct members_of *of)
{
    if (of->has_too_many) {
        text_append(line, ", null");
        return;
    }
    text_append(line, ", [");
    for (size_t i = 0; i < of->count; i++) {
        append_number(line, i ? ", " : "", of->runs[i].first);
        append_number(line, ", ", of->runs[i].count);
    }
    text_char(line, ']');
}

/* When each was taken, of what latency, the events that begin and end it, both as text, and its
 * events. */
static void append_snapshots(struct export *export)
{
    struct bytes *line = &export->line;
    for (size_t i = 0; i < export->members.count; i++) {
        const struct snapshot *one = export->members.list[i].snapshot;
        text_append(line, i ? ",\n[" : "\n[");
        text_integer(line, one->time - export->start);
        append_number(line, ", ", one->ns);
        append_number(line, ", ", one->pid);
        append_number(line, ", ", one->tid);
        append_event_number(line, one->begin);
        append_event_number(line, one->end);
        append_name(line, ", ", one->arguments[0] ? one->arguments[0] : "");
        append_name(line, ", ", one->arguments[1] ? one->arguments[1] : "");
        append_runs(line, &export->members.list[i]);
        text_char(line, ']');
    }
}

static void append_streams(struct export *export)
{
    struct bytes *line = &export->line;
    const char *comma = "\n";
    for (size_t i = 0; i < export->recording.trace_count; i++) {
        const struct trace *trace = &export->recording.traces[i];
        for (size_t k = 0; k < trace->stream_count; k++) {
            const struct stream *stream = &trace->streams[k];
            text_append(line, comma);
            append_name(line, "[", stream->path + strlen(trace->path) - strlen(trace->name));
            append_number(line, ", ", trace->pid);
            append_number(line, ", ", stream->events);
            append_number(line, ", ", stream->discarded);
            append_number(line, ", ", stream->missing);
            append_number(line, ", ", stream->damaged);
            text_char(line, ']');
            comma = ",\n";
        }
    }
}

/*
 * Write what is in the line, which is JSON, where `<`, which occurs in strings only, could end the
 * element that it stands in.
 */
static void put_json(struct export *export)
{
    struct bytes plain = export->line;
    export->line = (struct bytes){0};
    for (size_t i = 0; i < plain.size; i++)
        if (plain.data[i] == '<')
            text_append(&export->line, "\\u003c");
        else
            text_char(&export->line, (char)plain.data[i]);
    bytes_free(&plain);
    export_put(export);
}

static void append_clock(struct export *export, size_t i)
{
    const struct clock *clock = &export->clocks.list[i];
    char *how = clocks_how(&export->clocks, i);
    text_append(&export->line, ", \"ahead\": ");
    text_integer(&export->line, clock->ahead);
    text_append(&export->line, ", \"error\": ");
    text_integer(&export->line, clock->error);
    append_name(&export->line, ", \"how\": ", how);
    free(how);
}

/* Whose clocks times are of. */
static void append_machines(struct export *export)
{
    for (size_t i = 0; i < export->recording.machine_count; i++) {
        const struct trace_machine *machine = &export->recording.machines[i];
        append_name(&export->line, i ? ",\n{\"host\": " : "\n{\"host\": ", machine->host);
        append_name(&export->line, ", \"recording\": ", machine->directory);
        append_clock(export, i);
        text_append(&export->line, "}");
    }
}

static void append_request(struct export *export, const struct request *request)
{
    struct bytes *line = &export->line;
    append_name(line, "[", request->key);
    append_number(line, ", ", (uint64_t)(request->first - export->start));
    append_number(line, ", ", (uint64_t)(request->last - export->start));
    for (const struct request_part *part = request->parts; part; part = part->next) {
        append_number(line, ", [", part->process);
        append_number(line, ", ", (uint64_t)(part->first - export->start));
        append_number(line, ", ", (uint64_t)(part->last - export->start));
        append_number(line, ", ", part->events);
        text_char(line, ']');
    }
    text_char(line, ']');
}

/* Of more, the page has the slowest. */
static void append_requests(struct export *export)
{
    size_t count;
    const struct request **list = requests_slowest(&export->requests, REQUESTS_SHOWN, &count);
    const char *by = export->match.key_text;
    append_name(&export->line, ",\n\"requests\": {\"by\": ", by ? by : "");
    append_number(&export->line, ", \"all\": ", export->requests.count);
    text_append(&export->line, ", \"list\": [");
    for (size_t i = 0; i < count; i++) {
        text_append(&export->line, i ? ",\n" : "\n");
        append_request(export, list[i]);
    }
    text_append(&export->line, "]}");
    free(list);
}

/* What flame.js draws, and what is not in it. */
static void append_flame(struct export *export)
{
    char *notes[CALL_TREE_NOTES];
    size_t count = call_tree_notes(&export->tree, notes);
    json_open(&export->line, "flame", '{');
    tree_page_calls(&export->line, "calls", &export->tree.whole);
    json_open(&export->line, "notes", '[');
    for (size_t i = 0; i < count; i++) {
        json_string(&export->line, NULL, notes[i]);
        free(notes[i]);
    }
    json_close(&export->line, ']');
    json_close(&export->line, '}');
}

/* The last parts of the directories' names. */
static void append_title(struct export *export)
{
    struct bytes title = {0};
    for (char **one = export->directories; *one; one++) {
        const char *slash = strrchr(*one, '/');
        text_append(&title, one == export->directories ? "" : ", ");
        text_append(&title, slash && slash[1] ? slash + 1 : *one);
    }
    text_char(&title, '\0');
    append_name(&export->line, "{\"recording\": ", (const char *)title.data);
    bytes_free(&title);
}

static void put_description(struct export *export)
{
    struct bytes *line = &export->line;
    append_title(export);
    append_name(line, ", \"filter\": ", export->filter_text ? export->filter_text : "");
    append_number(line, ", \"events\": ", page.count);
    append_number(line, ", \"start\": \"", (uint64_t) export->start);
    text_append(line, export_names_hosts(export) ? "\", \"namesHosts\": true" : "\"");
    text_append(line, ",\n\"machines\": [");
    append_machines(export);
    text_append(line, "],\n\"processes\": [");
    bytes_append(line, page.processes.data, page.processes.size);
    text_append(line, "],\n\"threads\": [");
    bytes_append(line, page.threads.data, page.threads.size);
    text_append(line, "],\n\"probes\": [");
    for (size_t i = 0; i < export->recording.probe_count; i++)
        append_name(line, i ? ",\n" : "\n", export->recording.probes[i].label);
    text_append(line, "],\n\"classes\": [");
    append_classes(export);
    text_append(line, "],\n\"pairs\": [");
    append_pairs(export);
    text_append(line, "],\n\"snapshots\": [");
    append_snapshots(export);
    text_append(line, "],\n\"streams\": [");
    append_streams(export);
    text_char(line, ']');
    append_requests(export);
    append_flame(export);
    text_append(line, "}\n");
    put_json(export);
}

/* ---- the page ---- */

static void begin(struct export *export)
{
    uint32_t classes = 0;
    memset(&page, 0, sizeof page);
    page.cache = memory_zeroed(CACHE_SIZE, sizeof *page.cache);
    page.first_class = memory_zeroed(export->recording.trace_count, sizeof *page.first_class);
    for (size_t i = 0; i < export->recording.trace_count; i++) {
        page.first_class[i] = classes;
        classes += (uint32_t) export->recording.traces[i].class_limit;
    }
    bytes_append(&export->line, html_before, html_before_size);
    export_put(export);
}

static void end(struct export *export)
{
    put_records(export, true);
    bytes_append(&export->line, html_between, html_between_size);
    export_put(export);
    put_description(export);
    bytes_append(&export->line, html_after, html_after_size);
    export_put(export);
    for (size_t i = 0; i < CACHE_SIZE; i++)
        bytes_free(&page.cache[i].text);
    free(page.cache);
    free(page.first_class);
    bytes_free(&page.raw);
    bytes_free(&page.processes);
    bytes_free(&page.threads);
}

const struct export_writer export_html = {
    .shows_snapshots = true,
    .shows_requests = true,
    .shows_tree = true,
    .begin = begin,
    .process = process,
    .thread = thread,
    .mark = mark,
    .slice = slice,
    .end = end,
};
