/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is compared. A *subject* is a pair of probes, or a probe that is in no pair. Its events are
 * split by what they have: by an argument, by the function, by the caller. A *group* is the events
 * of one subject that have the same key in one such split; the first split of a subject has no
 * key, and one group. Each group has two sides, A and B.
 *
 * Keys come from the recordings, so their number is limited in each split: what is beyond the limit
 * is counted, and in no group.
 */
#ifndef SDT_GROUPS_H
#define SDT_GROUPS_H

#include "base/memory.h"
#include "base/slice.h"
#include "report/key_table.h"
#include "slices.h"

#define GROUP_NONE UINT32_MAX

struct subject {
    char *name;        /* of the pair, or the label of the probe */
    char *begin, *end; /* labels; NULL: it is no pair */
};

struct split {
    uint32_t subject;
    char *by; /* NULL: it has no key */
    size_t keys;
    uint64_t unkept; /* hits of keys beyond the limit */
};

/* The events of one recording, which are next to each other. */
struct group_run {
    uint32_t recording;
    uint64_t count;
};

struct group_side {
    uint64_t count;
    int64_t *values; /* latencies in ns, in order of time; NULL: of no pair */
    size_t capacity;
    struct group_run *runs;
    size_t run_count;
    uint32_t slices[SLICES];
};

struct group {
    uint32_t split;
    bool is_text; /* the key; else it is a number, or a name */
    struct slice key;
    struct group_side sides[2];
};

struct groups {
    size_t most_keys; /* of a split */
    struct subject *subjects;
    struct split *splits;
    struct group **list;
    size_t subject_count, split_count, count, capacity;
    struct key_table subject_numbers, split_numbers; /* by what makes one */
    struct bytes key;                                /* of these */
    uint32_t *buckets;                               /* a hash table: numbers of groups + 1 */
    size_t bucket_count;
    struct slices time[2];
    struct arena arena;
};

/* All are made if they are new. BEGIN and END are NULL of a probe that is in no pair. */
uint32_t groups_subject(struct groups *groups, const char *name, const char *begin,
                        const char *end);
uint32_t groups_split(struct groups *groups, uint32_t subject, const char *by);
/* GROUP_NONE, and counted: there are too many keys. */
uint32_t groups_find(struct groups *groups, uint32_t split, struct slice key, bool is_text);

/* One event more of group number GROUP, at TIME after the start of SIDE, in RECORDING of that side;
 * with a LATENCY, if its subject is a pair. */
void groups_add(struct groups *groups, uint32_t group, unsigned side, uint32_t recording,
                int64_t time, int64_t latency);
void groups_free(struct groups *groups);

/* Of a group: where it belongs. */
const struct split *group_split(const struct groups *groups, const struct group *group);
const struct subject *group_subject(const struct groups *groups, const struct group *group);

#endif
