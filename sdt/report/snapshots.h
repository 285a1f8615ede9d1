/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The snapshots of a recording (sdt record --when), and which hit each was taken for: of a latency,
 * also where it began, by the rule of pairing.h. What a trace notes of them (trace/noted.h) has the
 * hit's thread, site and a time after it: its event is the last that is not later. It may be lost,
 * and that of a begin overwritten.
 *
 * The events of a snapshot are those of its request: from begin to end, those with the same value
 * of the pair's expression, and those without one in the threads in which it began and ended. Of a
 * hit that is no latency, those of its thread since the snapshot before.
 */
#ifndef SDT_SNAPSHOTS_H
#define SDT_SNAPSHOTS_H

#include "pairing.h"

#define SNAPSHOT_NO_EVENT UINT64_MAX

struct snapshot {
    const struct trace *trace;
    uint64_t number; /* from 1, in order of time */
    int64_t from, time;
    uint64_t ns; /* of a latency; 0: it is none */
    uint32_t pid, tid, class;
    uint64_t begin, end; /* numbers of events; SNAPSHOT_NO_EVENT: none is there */
    uint32_t begin_pid, begin_tid;
    const struct pair *pair; /* NULL: unknown */
    struct bytes value;      /* of its expression, if that has one */
    char *arguments[2];      /* of begin and end, as text with the probe; NULL: unknown */
};

struct snapshots {
    struct snapshot *list; /* by trace, process, thread, site and time, to find them */
    size_t count;
    struct snapshot **by_time;
    struct snapshot_mark {
        uint64_t event;
        struct snapshot *snapshot;
    } * marks; /* by event */
    size_t mark_count;
};

bool snapshots_has_any(const struct recording *recording);
/* Read RECORDING once, if it has snapshots. PAIRS are resolved. Events have numbers from 0; those
 * that FILTER leaves out do not count. */
void snapshots_find(struct snapshots *snapshots, struct recording *recording, struct pairs *pairs,
                    const struct filter *filter);
void snapshots_free(struct snapshots *snapshots);

/* The one that event NUMBER begins or ends; NULL: none. */
struct snapshot *snapshots_at(const struct snapshots *snapshots, uint64_t number);
/* Snapshot NUMBER; NULL: there is none. */
const struct snapshot *snapshots_get(const struct snapshots *snapshots, uint64_t number);
/* Whether EVENT is one of those of SNAPSHOT. */
bool snapshots_has(const struct snapshot *snapshot, const struct event *event);

#endif
