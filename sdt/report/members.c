/* SPDX-License-Identifier: BSD-2-Clause */
/* See members.h. An event is compared with the snapshots whose time it is in only. */
#include "members.h"

#include <stdlib.h>

/* Snapshots may overlap, and each have all events: more than this would be no page any more. */
enum { MAX_RUNS = 1 << 20 };

static int by_begin(const void *one, const void *other)
{
    const struct members_of *a = *(struct members_of *const *)one,
                            *b = *(struct members_of *const *)other;
    return (a->snapshot->from > b->snapshot->from) - (a->snapshot->from < b->snapshot->from);
}

void members_start(struct members *members, const struct snapshots *snapshots)
{
    size_t count = snapshots->count;
    *members = (struct members){.list = memory_zeroed(count + 1, sizeof *members->list),
                                .next = memory_zeroed(count + 1, sizeof(struct members_of *)),
                                .active = memory_zeroed(count + 1, sizeof(struct members_of *)),
                                .count = count};
    for (size_t i = 0; i < count; i++) {
        members->list[i].snapshot = snapshots->by_time[i];
        members->next[i] = &members->list[i];
    }
    qsort(members->next, count, sizeof(struct members_of *), by_begin);
}

static void add(struct members *members, struct members_of *of, uint64_t number)
{
    struct members_run *last = of->count ? &of->runs[of->count - 1] : NULL;
    if (last && last->first + last->count == number) {
        last->count++;
        return;
    }
    of->has_too_many = of->has_too_many || members->runs == MAX_RUNS;
    if (of->has_too_many)
        return;
    of->runs = memory_resize(of->runs, of->count + 1, sizeof *of->runs);
    of->runs[of->count++] = (struct members_run){number, 1};
    members->runs++;
}

void members_take(struct members *members, const struct event *event, uint64_t number)
{
    /* Those whose time this is in. */
    size_t kept = 0;
    while (members->begun < members->count &&
           members->next[members->begun]->snapshot->from <= event->time)
        members->active[members->active_count++] = members->next[members->begun++];
    for (size_t i = 0; i < members->active_count; i++)
        if (members->active[i]->snapshot->time >= event->time)
            members->active[kept++] = members->active[i];
    members->active_count = kept;
    for (size_t i = 0; i < members->active_count; i++)
        if (snapshots_has(members->active[i]->snapshot, event))
            add(members, members->active[i], number);
}

void members_end(struct members *members)
{
    for (size_t i = 0; i < members->count; i++)
        free(members->list[i].runs);
    free(members->list);
    free(members->next);
    free(members->active);
    *members = (struct members){0};
}
