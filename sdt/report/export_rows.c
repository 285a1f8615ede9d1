/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows for SQL. All recordings are opened first: a table has the columns of all of them. Then their
 * events are written, one recording after the other; the numbers of events go on.
 */
#include "base/diag.h"
#include "base/texts.h"
#include "command/command.h"
#include "export.h"
#include "folded_stacks.h"
#include "losses.h"
#include "sql/sink.h"
#include "trace/annotate.h"
#include "trace/debug_info.h"
#include "trace/recording.h"

#include <sdt/format.h>
#include <stdlib.h>

struct source {
    struct recording recording;
    struct pairs pairs;
};

struct rows {
    const struct export *asked;
    struct match *match; /* what was asked */
    struct source *sources;
    size_t count;
    struct filter filter;
    struct schema schema;
    struct folded_stacks stacks;
    struct row row;  /* that is being composed */
    uint64_t number; /* of the next event */
};

/* ---- what there is ---- */

static int open_source(struct rows *rows, const char *directory)
{
    struct source *source = &rows->sources[rows->count];
    if (recording_open(&source->recording, directory) != 0) {
        recording_close(&source->recording);
        return -1;
    }
    rows->count++;
    for (size_t i = 0; i < rows->asked->pairs.count; i++)
        if (pairs_add(&source->pairs, rows->asked->pairs.list[i].text) != 0)
            return -1;
    return debug_info_annotate(&source->recording) != 0 ||
                   annotate_recording(&source->recording, rows->asked->description) != 0 ||
                   pairs_resolve(&source->pairs, &source->recording) != 0
               ? -1
               : 0;
}

static int open_sources(struct rows *rows)
{
    char **directories = rows->asked->directories;
    size_t count = 0;
    while (directories[count])
        count++;
    rows->sources = memory_zeroed(count, sizeof *rows->sources);
    for (size_t i = 0; i < count; i++)
        if (open_source(rows, directories[i]) != 0)
            return -1;
    return 0;
}

/* Put clocks right by messages: the traces of all recordings together are those of each, in the
 * same order. */
static int align(struct rows *rows)
{
    struct match *match = rows->match;
    struct recording all;
    struct clocks clocks = {0};
    if (!match->kind_count)
        return 0;
    int result = recording_open_all(&all, rows->asked->directories);
    if (result == 0)
        result = match_resolve(match, &all);
    if (result == 0)
        result = clocks_align(&clocks, match, &all);
    if (result == 0)
        clocks_tell(&clocks, &all);
    for (size_t i = 0, n = 0; result == 0 && i < rows->count; i++)
        for (size_t k = 0; k < rows->sources[i].recording.trace_count; k++)
            rows->sources[i].recording.traces[k].shift = all.traces[n++].shift;
    clocks_free(&clocks);
    recording_close(&all);
    return result;
}

/* A name is wrong if no recording knows it. */
static int check_filter(const struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (filter_knows(&rows->filter, &rows->sources[i].recording))
            return 0;
    return filter_check(&rows->filter, rows->asked->filter_text, &rows->sources[0].recording);
}

/* ---- what the tables are ---- */

/* Probes with a part in a pair, each once, whatever number of sites they have. */
struct cast {
    size_t pair;
    const struct trace_probe *probe;
};

struct casts {
    struct cast *list;
    size_t count, capacity;
    struct texts different; /* numbered as those in the list are */
};

static void add_cast(struct casts *casts, size_t pair, const struct trace_probe *probe)
{
    const struct cast cast = {pair, probe};
    struct slice bytes = {(const char *)&cast, sizeof cast};
    if (texts_number(&casts->different, bytes) < casts->count)
        return;
    casts->list =
        memory_with_room(casts->list, casts->count, &casts->capacity, sizeof *casts->list);
    casts->list[casts->count++] = cast;
}

static void free_casts(struct casts *casts)
{
    free(casts->list);
    texts_free(&casts->different);
}

static struct casts find_casts(const struct source *source, enum role_kind kind)
{
    const struct recording *recording = &source->recording;
    struct casts casts = {0};
    for (size_t i = 0; i < recording->trace_count; i++)
        for (size_t id = 0; id < recording->traces[i].class_limit; id++) {
            const struct event_class *class = recording->traces[i].classes[id];
            const struct role *role =
                class ? pairs_role(&source->pairs, recording, &recording->traces[i], class) : NULL;
            if (role && role->kind == kind)
                add_cast(&casts, role->pair, &recording->probes[class->probe]);
        }
    return casts;
}

static int compare_probes(const void *left, const void *right)
{
    return trace_compare_probes(left, right);
}

/* A call ends in the function in which it began. */
static void add_call(struct schema *schema, const struct source *source,
                     const struct trace_probe *entry)
{
    const struct recording *recording = &source->recording;
    struct trace_probe key = *entry;
    key.name = SDT_FUNCTION_RETURN;
    const struct trace_probe *end =
        bsearch(&key, recording->probes, recording->probe_count, sizeof key, compare_probes);
    if (end)
        schema_add_pair(schema, entry, end);
}

static void add_pairs(struct schema *schema, const struct source *source)
{
    struct casts begins = find_casts(source, ROLE_BEGIN), ends = find_casts(source, ROLE_END);
    for (size_t i = 0; i < begins.count; i++) {
        const struct cast *begin = &begins.list[i];
        if (source->pairs.list[begin->pair].is_functions) {
            add_call(schema, source, begin->probe);
            continue;
        }
        for (size_t k = 0; k < ends.count; k++)
            if (begin->pair == ends.list[k].pair)
                schema_add_pair(schema, begin->probe, ends.list[k].probe);
    }
    free_casts(&begins);
    free_casts(&ends);
}

static void make_schema(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        schema_add(&rows->schema, &rows->sources[i].recording, rows->asked->directories[i]);
    for (size_t i = 0; i < rows->count; i++)
        add_pairs(&rows->schema, &rows->sources[i]);
    schema_finish(&rows->schema);
    row_start(&rows->row, &rows->schema);
}

/* ---- the rows ---- */

/* Begins that overlap count in no latency. */
static struct row_place place_of(struct rows *rows, size_t part, const struct event *event,
                                 const struct paired *paired)
{
    bool has_begin = paired->kind == ROLE_END && paired->has_begin;
    return (struct row_place){.part = part,
                              .number = rows->number,
                              .has_begin = has_begin,
                              .begin = paired->number,
                              .has_duration = has_begin && !paired->overlaps,
                              .duration = event->time - paired->time,
                              .stack = folded_stack(&rows->stacks, event)};
}

static int put_source(struct rows *rows, size_t part, void *sink)
{
    struct source *source = &rows->sources[part];
    struct pairing pairing = {0};
    struct merge merge;
    struct event event;
    int result = 0;
    pairing_start(&pairing, &source->pairs);
    merge_start(&merge, &source->recording);
    while (result == 0 && merge_next(&merge, &event)) {
        if (!filter_passes(&rows->filter, &event))
            continue;
        struct paired paired = pairing_take(&pairing, &event, rows->number);
        struct row_place place = place_of(rows, part, &event, &paired);
        row_compose(&rows->row, &rows->schema, &event, &place);
        result = rows->asked->sink->put(sink, &rows->row);
        rows->number++;
    }
    merge_end(&merge);
    pairing_end(&pairing);
    pairs_warn(&source->pairs, &source->recording);
    losses_tell(&source->recording);
    return result;
}

static int put_all(struct rows *rows)
{
    const struct sink *kind = rows->asked->sink;
    int result = 0;
    void *sink = kind->open(rows->asked->path, &rows->schema);
    if (!sink)
        return -1;
    for (size_t i = 0; i < rows->count && result == 0; i++)
        result = put_source(rows, i, sink);
    if (result == 0)
        result = kind->finish(sink);
    kind->close(sink);
    return result;
}

static int run(struct rows *rows)
{
    bool is_damaged = false;
    if (filter_parse(&rows->filter, rows->asked->filter_text) != 0)
        return STATUS_USAGE;
    if (recording_check_names(rows->asked->directories) != 0 || open_sources(rows) != 0 ||
        check_filter(rows) != 0 || align(rows) != 0)
        return STATUS_FAILED;
    make_schema(rows);
    if (put_all(rows) != 0)
        return STATUS_FAILED;
    for (size_t i = 0; i < rows->count; i++)
        is_damaged = is_damaged || rows->sources[i].recording.is_damaged;
    return is_damaged ? STATUS_FAILED : STATUS_DONE;
}

int export_rows(struct export *asked)
{
    struct rows rows = {.asked = asked, .match = &asked->match};
    int status = run(&rows);
    row_free(&rows.row);
    folded_stacks_free(&rows.stacks);
    schema_free(&rows.schema);
    filter_free(&rows.filter);
    for (size_t i = 0; i < rows.count; i++) {
        pairs_free(&rows.sources[i].pairs);
        recording_close(&rows.sources[i].recording);
    }
    free(rows.sources);
    return status;
}
