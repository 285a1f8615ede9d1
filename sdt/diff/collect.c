/* SPDX-License-Identifier: BSD-2-Clause */
/* See collect.h. */
#include "collect.h"

#include "base/diag.h"
#include "keys.h"
#include "open_pairs.h"
#include "report/pairing.h"
#include "trace/annotate.h"
#include "trace/debug_info.h"
#include "trace/recording.h"

#include <inttypes.h>
#include <stdlib.h>

/* One recording, while it is read. */
struct collector {
    struct side *side;
    unsigned which; /* side */
    const struct asked *options;
    struct groups *groups;
    struct nest *tree;
    struct recording recording;
    struct filter filter;
    struct pairs pairs;
    struct pairing pairing;
    struct keys_reader keys;
    struct open_pairs open;
    int64_t first, base; /* time of the first event; where it is in the time of the side */
    int64_t latest;      /* of the side's time: it does not go back */
};

/* ---- Events. ---- */

/* ns from one time to a later one. In a damaged recording, time may go back, or be anything. */
static int64_t since(int64_t from, int64_t to)
{
    const uint64_t most = UINT64_C(1) << 60; /* 36 years */
    uint64_t ns = to > from ? (uint64_t)to - (uint64_t)from : 0;
    return (int64_t)(ns < most ? ns : most);
}

static void add(struct collector *collector, uint32_t group, int64_t latency)
{
    if (group != GROUP_NONE)
        groups_add(collector->groups, group, collector->which,
                   (uint32_t)collector->side->recordings, collector->latest, latency);
}

/* EVENT is one of SUBJECT, with KEYS. */
static void count(struct collector *collector, uint32_t subject, const struct keys *keys,
                  int64_t latency)
{
    uint32_t whole = groups_split(collector->groups, subject, NULL);
    add(collector, groups_find(collector->groups, whole, (struct slice){0}, false), latency);
    for (unsigned i = 0; i < keys->count; i++)
        add(collector, keys->groups[i], latency);
}

/* A probe in no pair has a rate, but no latency. Its arguments are keys only if that was asked. */
static void take_single(struct collector *collector, const struct event *event)
{
    const char *label = event->recording->probes[event->class->probe].label;
    uint32_t subject = groups_subject(collector->groups, label, NULL, NULL);
    struct keys keys = {.count = 0};
    if (collector->options->by_count)
        keys_read(&collector->keys, event, subject, &keys);
    count(collector, subject, &keys, 0);
}

static void take_begin(struct collector *collector, const struct event *event,
                       const struct pair *pair)
{
    uint32_t subject = groups_subject(collector->groups, pairs_slice_name(pair, event->class),
                                      pair->begin, pair->end);
    struct open_pair *one =
        open_pairs_begin(&collector->open, event, subject, pair, collector->tree);
    keys_read(&collector->keys, event, subject, &one->keys);
}

/* The one of a begin ends at EVENT. */
static void count_pair(struct collector *collector, const struct event *event,
                       struct open_pair *one, int64_t latency)
{
    keys_read(&collector->keys, event, one->subject, &one->keys);
    collector->side->pairs++;
    count(collector, one->subject, &one->keys, latency);
    nest_add(collector->tree, one->node, collector->which, latency);
}

static void take_end(struct collector *collector, const struct event *event,
                     const struct paired *paired)
{
    struct open_pair *one = open_pairs_take(&collector->open, trace_task(event->trace, paired->pid),
                                            paired->tid, paired->number);
    if (!one) {
        collector->side->evicted += !paired->overlaps;
        return;
    }
    if (!paired->overlaps)
        count_pair(collector, event, one, since(paired->time, event->time));
    open_pairs_close(&collector->open, one);
}

static void take(struct collector *collector, const struct event *event)
{
    if (collector->side->events++ == 0 || collector->first == INT64_MIN)
        collector->first = event->time;
    int64_t time = since(0, collector->base + since(collector->first, event->time));
    collector->latest = time > collector->latest ? time : collector->latest;
    if (!filter_passes(&collector->filter, event))
        return;
    /* A begin gets the number that open_pairs_begin() gives it. */
    struct paired paired = pairing_take(&collector->pairing, event, collector->open.count + 1);
    if (pairs_role(&collector->pairs, event->recording, event->trace, event->class)->kind ==
        ROLE_NONE)
        take_single(collector, event);
    else if (paired.kind == ROLE_BEGIN)
        take_begin(collector, event, &collector->pairs.list[paired.pair]);
    else if (paired.kind == ROLE_END && paired.has_begin)
        take_end(collector, event, &paired);
}

/* ---- Recordings. ---- */

static int open_recording(struct collector *collector, const char *path)
{
    const struct asked *options = collector->options;
    for (size_t i = 0; i < options->pair_count; i++)
        if (pairs_add(&collector->pairs, options->pairs[i]) != 0)
            return -1;
    return filter_parse(&collector->filter, options->filter) != 0 ||
                   recording_open(&collector->recording, path) != 0 ||
                   debug_info_annotate(&collector->recording) != 0 ||
                   annotate_recording(&collector->recording, options->description) != 0 ||
                   filter_check(&collector->filter, options->filter, &collector->recording) != 0 ||
                   pairs_resolve(&collector->pairs, &collector->recording) != 0 ||
                   keys_start(&collector->keys, options, collector->groups,
                              &collector->recording) != 0
               ? -1
               : 0;
}

static void read_events(struct collector *collector)
{
    struct merge merge;
    struct event event;
    open_pairs_start(&collector->open);
    pairing_start(&collector->pairing, &collector->pairs);
    merge_start(&merge, &collector->recording);
    while (merge_next(&merge, &event))
        take(collector, &event);
    merge_end(&merge);
    pairing_end(&collector->pairing);
    open_pairs_end(&collector->open);
}

static uint64_t losses(const struct recording *recording)
{
    uint64_t lost = 0;
    for (size_t i = 0; i < recording->trace_count; i++)
        for (size_t k = 0; k < recording->traces[i].stream_count; k++)
            lost += recording->traces[i].streams[k].discarded;
    return lost;
}

/* A recording that cannot be read is not left out: what it would have said is unknown. */
static int read_one(struct collector *collector, const char *path)
{
    struct side *side = collector->side;
    int status = open_recording(collector, path);
    if (status == 0) {
        collector->first = INT64_MIN;
        read_events(collector);
        side->durations =
            memory_resize(side->durations, side->recordings + 1, sizeof *side->durations);
        side->durations[side->recordings++] = collector->latest - collector->base;
        collector->base = collector->latest;
        collector->groups->time[collector->which].time = collector->latest;
        side->lost += losses(&collector->recording);
        side->is_damaged = side->is_damaged || collector->recording.is_damaged;
        pairs_warn(&collector->pairs, &collector->recording);
    }
    keys_end(&collector->keys);
    filter_free(&collector->filter);
    pairs_free(&collector->pairs);
    recording_close(&collector->recording);
    return status;
}

/* What is not in the numbers. */
static void warn(const struct side *side)
{
    const struct diag_place place = {.file = side->directory};
    if (side->lost) {
        char *text = memory_format("%" PRIu64 " events were lost: rates are too low", side->lost);
        diag_warn(&place, text, NULL);
        free(text);
    }
    if (side->evicted) {
        char *text = memory_format("%" PRIu64 " pairs are left out: more than %d others "
                                   "were open",
                                   side->evicted, OPEN_PAIRS);
        diag_warn(&place, text, NULL);
        free(text);
    }
}

int collect_side(struct side *side, unsigned which, const struct set *set,
                 const struct asked *options, struct groups *groups, struct nest *tree)
{
    struct collector collector = {
        .side = side, .which = which, .options = options, .groups = groups, .tree = tree};
    *side = (struct side){.directory = set->directory};
    for (size_t i = 0; i < set->count; i++)
        if (read_one(&collector, set->paths[i]) != 0)
            return -1;
    if (!side->events)
        return diag_error("%s: the recording has no events, so there is nothing to compare",
                          set->directory);
    warn(side);
    return 0;
}

void side_free(struct side *side)
{
    free(side->durations);
    *side = (struct side){0};
}

int64_t side_duration(const struct side *side)
{
    int64_t sum = 0;
    for (size_t i = 0; i < side->recordings; i++)
        sum += side->durations[i];
    return sum;
}
