/* SPDX-License-Identifier: BSD-2-Clause */
/* `sdt export`: a loop that decides what is shown where, and one writer for each format. */
#ifndef SDT_EXPORT_H
#define SDT_EXPORT_H

#include "base/output.h"
#include "filter.h"
#include "trace/merge.h"
#include "trace/pairs.h"
#include "tracks.h"

struct export
{
    const char *directory, *path, *filter_text, *description;
    const struct export_writer *writer;
    bool has_cpus;
    struct filter filter;
    struct pairs pairs;
    struct recording recording;
    struct tracks tracks;
    struct output output;
    uint64_t size; /* of the output so far */
    bool has_failed;
    uint64_t limit;    /* events written at most */
    int64_t start;     /* time of the first event */
    struct bytes line; /* that is being composed */
};

/* What an event is on the line of its thread; MARK_CLOSE ends a slice whose own end is missing. */
enum mark { MARK_INSTANT, MARK_BEGIN, MARK_END, MARK_CLOSE };

struct export_writer {
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
    void (*mark_cpu)(struct export *export, const struct event *event, const char *name);
    void (*count)(struct export *export, const struct event *event, uint64_t track);
    void (*end)(struct export *export);
};

extern const struct export_writer export_chrome, export_html, export_perfetto;

/* Write what is in export->line, and empty it. */
void export_put(struct export *export);
/* The label of an event's probe. */
const char *export_label(const struct event *event);
/* The name of the slice that an event of CLASS begins: the function, if the pair has no name. */
const char *export_slice_name(const struct pair *pair, const struct event_class *class);

/* Export as EXPORT's first members, filter, pairs and limit say; returns the exit status. */
int export_run(struct export *export);
void export_free(struct export *export);

#endif
