/* SPDX-License-Identifier: BSD-2-Clause */
/* `sdt export`: a loop that decides what is shown where, and one writer for each format. */
#ifndef SDT_EXPORT_H
#define SDT_EXPORT_H

#include "base/output.h"
#include "call_tree.h"
#include "clocks.h"
#include "filter.h"
#include "members.h"
#include "nested.h"
#include "pairing.h"
#include "requests.h"
#include "trace/merge.h"
#include "tracks.h"

struct export
{
    const char *path, *filter_text, *description;
    const struct export_writer *writer; /* NULL: rows are wanted */
    const struct sink *sink;
    char **directories; /* up to NULL */
    bool has_cpus;
    struct filter filter;
    struct pairs pairs;
    struct match match;
    struct clocks clocks;
    struct requests requests; /* of writers that show them */
    struct recording recording;
    struct pairing pairing;
    struct snapshots snapshots; /* of writers that show them */
    struct members members;
    struct nested nested;  /* of writers that nest */
    struct call_tree tree; /* of writers that show it */
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
    bool shows_requests;                     /* as rows */
    bool knows_requests;                     /* otherwise */
    bool shows_tree;
    void (*look)(const struct event *event); /* ahead, at each event */
    int (*open)(struct export *export);      /* the output; NULL: a file */
    void (*begin)(struct export *export);
    /* That of the event, the first one of it. */
    void (*process)(struct export *export, const struct event *event);
    void (*thread)(struct export *export, const struct event *event);
    void (*cpu)(struct export *export, const struct event *event);
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
/* Whether the host belongs to the name of a process; append it with its name. */
bool export_names_hosts(const struct export *export);
void export_process_name(const struct export *export, const struct event *event, struct bytes *to);
/* A number of the event's machine, as of a process; no process has it. */
uint32_t export_machine(const struct event *event);

/* Export as EXPORT's first members, filter, pairs and limit say; returns the exit status. */
int export_run(struct export *export);
/* export_rows.c: the same into a sink of rows; of the members above it uses only what was asked. */
int export_rows(struct export *asked);
void export_free(struct export *export);

#endif
