/* SPDX-License-Identifier: BSD-2-Clause */
/* See snapshots.h. */
#include "snapshots.h"

#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is noted. ---- */

static void collect(struct snapshots *snapshots, const struct trace *trace)
{
    size_t count = snapshots->count + trace->snapshot_count;
    snapshots->list = memory_resize(snapshots->list, count, sizeof *snapshots->list);
    for (size_t i = 0; i < trace->snapshot_count; i++) {
        const struct trace_snapshot *noted = &trace->snapshots[i];
        int64_t time = trace_time(trace, noted->timestamp);
        int64_t ns = noted->ns > INT64_MAX ? INT64_MAX : (int64_t)noted->ns;
        snapshots->list[snapshots->count++] = (struct snapshot){.trace = trace,
                                                                .time = time,
                                                                .from = ns < time ? time - ns : 0,
                                                                .ns = noted->ns,
                                                                .pid = noted->pid,
                                                                .tid = noted->tid,
                                                                .class = noted->class,
                                                                .begin = SNAPSHOT_NO_EVENT,
                                                                .end = SNAPSHOT_NO_EVENT};
    }
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_times(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* By trace, process, thread and site. */
static int compare_origins(const struct snapshot *a, const struct snapshot *b)
{
    int order = compare((uintptr_t)a->trace, (uintptr_t)b->trace);
    order = order ? order : compare(a->pid, b->pid);
    order = order ? order : compare(a->tid, b->tid);
    return order ? order : compare(a->class, b->class);
}

static int by_origin(const void *one, const void *other)
{
    const struct snapshot *a = one, *b = other;
    int order = compare_origins(a, b);
    return order ? order : compare_times(a->time, b->time);
}

static int by_time(const void *one, const void *other)
{
    const struct snapshot *a = *(struct snapshot *const *)one,
                          *b = *(struct snapshot *const *)other;
    int order = compare_times(a->time, b->time);
    return order ? order : by_origin(a, b);
}

/* A hit that is no latency has what its process has recorded since the snapshot before. */
static void number_all(struct snapshots *snapshots)
{
    snapshots->by_time = memory_zeroed(snapshots->count + 1, sizeof(struct snapshot *));
    for (size_t i = 0; i < snapshots->count; i++)
        snapshots->by_time[i] = &snapshots->list[i];
    qsort(snapshots->by_time, snapshots->count, sizeof(struct snapshot *), by_time);
    for (size_t i = 0; i < snapshots->count; i++) {
        struct snapshot *one = snapshots->by_time[i];
        one->number = i + 1;
        if (!one->ns)
            one->from = i ? snapshots->by_time[i - 1]->time + 1 : 0;
    }
}

bool snapshots_has_any(const struct recording *recording)
{
    size_t i = 0;
    while (i < recording->trace_count && !recording->traces[i].snapshot_count)
        i++;
    return i < recording->trace_count;
}

/* ---- Their events. ---- */

static void take_end(struct snapshot *one, const struct event *event, uint64_t number,
                     const struct pairs *pairs, const struct paired *paired)
{
    one->end = number;
    one->begin = SNAPSHOT_NO_EVENT;
    one->value.size = 0;
    if (!one->ns || paired->kind != ROLE_END)
        return;
    one->pair = &pairs->list[paired->pair];
    pairing_value(&one->value, one->pair, event);
    if (!paired->has_begin)
        return;
    one->begin = paired->number;
    one->begin_pid = paired->pid;
    one->begin_tid = paired->tid;
    one->from = paired->time;
}

static void look_at(struct snapshots *snapshots, const struct event *event, uint64_t number,
                    struct pairing *pairing)
{
    struct paired paired = pairing_take(pairing, event, number);
    const struct snapshot key = {.trace = event->trace,
                                 .time = event->time,
                                 .pid = event->pid,
                                 .tid = event->tid,
                                 .class = event->class->id};
    /* The first snapshot of the origin of KEY that is not before it; NULL: none. */
    size_t low = LOWER_BOUND(i, snapshots->count, by_origin(&snapshots->list[i], &key) < 0);
    struct snapshot *one =
        low < snapshots->count && compare_origins(&snapshots->list[low], &key) == 0
            ? &snapshots->list[low]
            : NULL;
    if (one)
        take_end(one, event, number, pairing->pairs, &paired);
}

static int by_event(const void *one, const void *other)
{
    const struct snapshot_mark *a = one, *b = other;
    return compare(a->event, b->event);
}

static void mark_all(struct snapshots *snapshots)
{
    snapshots->marks = memory_zeroed(2 * snapshots->count + 1, sizeof *snapshots->marks);
    for (size_t i = 0; i < snapshots->count; i++) {
        struct snapshot *one = &snapshots->list[i];
        const uint64_t events[] = {one->begin, one->end};
        for (size_t k = 0; k < 2; k++)
            if (events[k] != SNAPSHOT_NO_EVENT)
                snapshots->marks[snapshots->mark_count++] = (struct snapshot_mark){events[k], one};
    }
    qsort(snapshots->marks, snapshots->mark_count, sizeof *snapshots->marks, by_event);
}

void snapshots_find(struct snapshots *snapshots, struct recording *recording, struct pairs *pairs,
                    const struct filter *filter)
{
    struct merge merge;
    struct event event;
    struct pairing pairing;
    uint64_t number = 0;
    for (size_t i = 0; i < recording->trace_count; i++)
        collect(snapshots, &recording->traces[i]);
    if (!snapshots->count)
        return;
    qsort(snapshots->list, snapshots->count, sizeof *snapshots->list, by_origin);
    number_all(snapshots);
    pairing_start(&pairing, pairs);
    merge_start(&merge, recording);
    while (merge_next(&merge, &event))
        if (!filter || filter_passes(filter, &event))
            look_at(snapshots, &event, number++, &pairing);
    merge_end(&merge);
    pairing_end(&pairing);
    mark_all(snapshots);
}

struct snapshot *snapshots_at(const struct snapshots *snapshots, uint64_t number)
{
    const struct snapshot_mark key = {.event = number};
    const struct snapshot_mark *mark =
        snapshots->mark_count
            ? bsearch(&key, snapshots->marks, snapshots->mark_count, sizeof key, by_event)
            : NULL;
    return mark ? mark->snapshot : NULL;
}

const struct snapshot *snapshots_get(const struct snapshots *snapshots, uint64_t number)
{
    return number && number <= snapshots->count ? snapshots->by_time[number - 1] : NULL;
}

bool snapshots_has(const struct snapshot *snapshot, const struct event *event)
{
    struct bytes value = {0};
    if (event->trace != snapshot->trace || event->time < snapshot->from ||
        event->time > snapshot->time)
        return false;
    bool is_its_thread = (event->pid == snapshot->pid && event->tid == snapshot->tid) ||
                         (snapshot->begin != SNAPSHOT_NO_EVENT &&
                          event->pid == snapshot->begin_pid && event->tid == snapshot->begin_tid);
    bool has_value = snapshot->value.size && pairing_value(&value, snapshot->pair, event);
    bool is_same = has_value && value.size == snapshot->value.size &&
                   memcmp(value.data, snapshot->value.data, value.size) == 0;
    bytes_free(&value);
    return has_value ? is_same : is_its_thread;
}

void snapshots_free(struct snapshots *snapshots)
{
    for (size_t i = 0; i < snapshots->count; i++) {
        bytes_free(&snapshots->list[i].value);
        free(snapshots->list[i].arguments[0]);
        free(snapshots->list[i].arguments[1]);
    }
    free(snapshots->list);
    free(snapshots->by_time);
    free(snapshots->marks);
    *snapshots = (struct snapshots){0};
}
