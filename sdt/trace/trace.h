/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A recording: a directory with one CTF trace for each process image that recorded.
 *
 *   DIR/PROGRAM-PID/metadata        what events there are; text
 *   DIR/PROGRAM-PID/cpu0, cpu1 ...  streams, one for each CPU: packets, and events in them
 *
 * The metadata is in TSDL, the language of CTF, for its readers. For us its comments hold lines of
 * a few words: metadata.c reads those and needs no parser of TSDL.
 *
 * Everything here belongs to the recording and lives until recording_close() (recording.h).
 */
#ifndef SDT_TRACE_H
#define SDT_TRACE_H

#include "base/memory.h"

#include <shared/describe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACE_PID_BITS = 22, TRACE_MAX_SPACES = 1 << 10 };

enum field_kind {
    FIELD_UNKNOWN, /* a type of some later version: neither it nor what follows can be read */
    FIELD_SIGNED,
    FIELD_UNSIGNED,
    FIELD_HEX,
    FIELD_BOOL,
    FIELD_POINTER,
    FIELD_FLOAT, /* a float that is stored as a double */
    FIELD_DOUBLE,
    FIELD_STRING,
    FIELD_BYTES,
    FIELD_ARRAY
};

struct field {
    const char *name;
    const char *type; /* as the metadata spells it */
    enum field_kind kind;
    unsigned size;                /* in bytes; 0 for strings, bytes and arrays */
    unsigned width;               /* how many of them count: the lowest */
    enum field_kind element_kind; /* of an array; a float is as it is in memory */
    unsigned element_size;
    const char *unit;                    /* NULL: none */
    const struct describe_label *labels; /* the enumerators */
    size_t label_count;
};

/* A site: what all events with its number have in common. */
struct event_class {
    uint32_t id;
    unsigned probe; /* index into the recording's probes */
    const char *provider, *name, *place, *function, *module;
    const char *title;           /* of the entry or return of a function: it, as in the source */
    const char *file, *build_id; /* of the program or library; NULL: unknown */
    struct field *fields;
    size_t field_count;
    bool has_callers; /* one more field: an array of addresses */
    bool has_context; /* the last two of `fields` are the ids of a trace and a span, as texts */
};

/* All sites of one provider:name. Entries of functions are one probe in the process, and likewise
 * returns (<sdt/format.h>); here each function has its own. */
struct trace_probe {
    const char *provider, *name;
    const char *function; /* NULL: sites may be in several */
    const char *label;    /* provider:name, or provider::function:name, as people see it */
    const struct event_class *first;
    bool is_uniform; /* all of its sites have the same fields */
};

struct trace_clock {
    uint64_t frequency, offset_seconds, offset;
};

/* What traces have in common whose times are of one clock (machines.h). */
struct trace_machine {
    const char *host, *boot; /* boot "": unknown */
    const char *directory;   /* in which the first trace was found */
    int64_t shift;           /* is added to all its times */
    int64_t bound; /* the wall clock's error at most, as the kernel knew it; -1: unknown */
    int64_t step;  /* by so much it was set while it was recorded */
};

struct stream;

/* A module of the process. */
struct trace_module {
    uint64_t start, end; /* of its code */
    uint64_t base;       /* what addresses in the file are counted from */
    const char *id;      /* build ID, in hexadecimal; "": none */
    const char *path;
};

/* A snapshot, and the hit that has asked for it (ring/ring.h). */
struct trace_snapshot {
    uint64_t timestamp, ns;
    uint32_t pid, tid, class;
};

struct trace {
    char *path;       /* of its directory */
    const char *name; /* the last part of that */
    uint32_t pid;
    const char *program, *host;
    const char *directory;          /* that it was found by */
    const char *uuid, *boot;        /* "": unknown */
    uint64_t pid_space, time_space; /* namespaces; 0: unknown */
    int64_t wall;                   /* the wall clock less CLOCK_MONOTONIC at its start */
    size_t machine;                 /* index */
    unsigned space;     /* traces with another one may have the same numbers of processes */
    int64_t shift;      /* is added to its times: that of its machine, and its own */
    bool is_per_thread; /* a stream is that of a thread: the CPU of an event is unknown */
    struct trace_clock clock;
    struct event_class **classes; /* by number; NULL where there is none */
    size_t class_limit;
    struct stream *streams; /* by number of the ring */
    size_t stream_count;
    struct trace_module *modules; /* later ones are where earlier ones were */
    size_t module_count;
    const char **pairs; /* whose time `sdt record --when` was about, as `sdt lat` takes them */
    size_t pair_count;
    struct trace_snapshot *snapshots;
    size_t snapshot_count;
};

struct recording {
    struct trace *traces; /* by directory and name */
    size_t trace_count;
    struct trace_machine *machines;
    size_t machine_count, space_count;
    struct trace_probe *probes; /* by provider, name and function */
    size_t probe_count;
    size_t field_most;               /* no class has more fields */
    bool is_damaged;                 /* a warning told of something that cannot be read */
    struct description *description; /* annotate.c; NULL: none */
    struct arena arena;
};

/* How many of the fields are not ids of a context. */
enum { TRACE_IDS = 2 };
static inline size_t trace_arguments(const struct event_class *class)
{
    return class->field_count - (class->has_context ? TRACE_IDS : 0);
}

/* Whether A and B have the same fields. */
bool trace_same_fields(const struct event_class *a, const struct event_class *b);
/* The order of `probes`. */
int trace_compare_probes(const struct trace_probe *a, const struct trace_probe *b);

/* Time, in ns since the epoch, of TIMESTAMP, in cycles of the trace's clock. */
int64_t trace_time(const struct trace *trace, uint64_t timestamp);

/* A number for process or thread PID of TRACE that no other one of the recording has: if all are of
 * one space, PID. It has 22 bits (ring/ring.h). */
static inline uint32_t trace_task(const struct trace *trace, uint32_t pid)
{
    return (uint32_t)trace->space << TRACE_PID_BITS | pid;
}

#endif
