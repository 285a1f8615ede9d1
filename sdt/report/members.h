/* SPDX-License-Identifier: BSD-2-Clause */
/* Which events belong to which snapshot (snapshots.h), for those who write all events once. */
#ifndef SDT_MEMBERS_H
#define SDT_MEMBERS_H

#include "snapshots.h"

/* Events next to each other are a run. */
struct members_run {
    uint64_t first, count;
};

struct members_of {
    const struct snapshot *snapshot;
    struct members_run *runs;
    size_t count;
    bool has_too_many; /* they are not known */
};

struct members {
    struct members_of *list;  /* by number of the snapshot, from 0 */
    struct members_of **next; /* those that have not begun, by when they do; */
    struct members_of **active;
    size_t count, begun, active_count;
    size_t runs; /* of all */
};

void members_start(struct members *members, const struct snapshots *snapshots);
/* EVENT is the next one, in order of time, and has that NUMBER. */
void members_take(struct members *members, const struct event *event, uint64_t number);
void members_end(struct members *members);

#endif
