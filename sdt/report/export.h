/* SPDX-License-Identifier: BSD-2-Clause */
/* `sdt export`: a loop that decides what is shown where, and one writer for each format. */
#ifndef SDT_EXPORT_H
#define SDT_EXPORT_H

#include "base/output.h"
#include "filter.h"
#include "members.h"
#include "nested.h"
#include "pairing.h"
#include "trace/merge.h"
#include "tracks.h"

struct export
{
    const char *directory, *path, *filter_text, *description;
    const struct export_writer *writer; /* NULL: rows are wanted, from all directories up to NULL */
    const struct sink *sink;
    char **directories;
    bool has_cpus;
    struct filter filter;
    struct pairs pairs;
    struct recording recording;
    struct pairing pairing;
    struct snapshots snapshots; /* of writers that show them */
    struct members members;
    struct nested nested; /* of writers that nest */
    struct tracks tracks;
    struct output output;
    uint64_t size; /* of the output so far */
    bool has_failed;
    uint64_t limit;    /* events written at most */
    uint64_t number;   /* of the event, from 0; those that the filter leaves out do not count */
    int64_t start;     /* time of the first event */
    struct bytes line; /* that is being composed */
};

/* What is NULL is not written. */
struct export_writer {
    bool nests;       /* slices of a thread must be nested: mark() and mark_async() show them */
    bool looks_ahead; /* it needs to know which are nested, and which have an end, but does that
                         itself */
    bool shows_snapshots;
    int (*open)(struct export *export); /* the output; NULL: a file */
    void (*begin)(struct export *export);
    void (*process)(struct export *export, uint32_t pid, const char *program);
    void (*thread)(struct export *export, uint32_t pid, uint32_t tid);
    void (*cpu)(struct export *export, uint32_t cpu);
    void (*counter)(struct export *export, const struct event *event, uint64_t track);
    void (*mark)(struct export *export, const struct event *event, enum mark mark,
                 const char *name);
    /* Begin or end of NAME, not in a thread; ID distinguishes it from others of that name. */
    void (*mark_async)(struct export *export, const struct event *event, enum mark mark,
                       const char *name, struct slice id);
    /* A begin, or an end that has a begin, for a writer that does not nest. */
    void (*slice)(struct export *export, const struct event *event, const struct paired *paired);
    void (*mark_cpu)(struct export *export, const struct event *event, const char *name);
    void (*count)(struct export *export, const struct event *event, uint64_t track);
    void (*end)(struct export *export);
};

extern const struct export_writer export_chrome, export_html, export_otlp, export_perfetto;

/* Write what is in export->line, and empty it. */
void export_put(struct export *export);
/* The label of an event's probe. */
const char *export_label(const struct event *event);

/* Export as EXPORT's first members, filter, pairs and limit say; returns the exit status. */
int export_run(struct export *export);
/* export_rows.c: the same into a sink of rows; of the members above it uses only what was asked. */
int export_rows(const struct export *asked);
void export_free(struct export *export);

#endif
