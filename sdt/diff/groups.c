/* SPDX-License-Identifier: BSD-2-Clause */
/* See groups.h. Subjects, splits and groups are found for each event, in hash tables. */
#include "groups.h"

#include "base/hash.h"

#include <stdlib.h>

static char *copy(const char *text)
{
    return text ? memory_format("%s", text) : NULL;
}

/* ---- Subjects and splits. ---- */

struct numbered {
    struct keyed keyed;
    uint32_t number;
};

static void add_text(struct bytes *key, const char *text)
{
    if (text)
        bytes_append(key, text, strlen(text) + 1);
}

/* The number of KEY; COUNT, if it is new. */
static uint32_t find_number(struct key_table *table, const struct bytes *key, size_t count)
{
    if (!table->buckets)
        key_table_start(table, sizeof(struct numbered));
    uint64_t hash = key_table_hash(key);
    struct numbered *one = (void *)*key_table_find(table, key, hash);
    if (!one) {
        one = key_table_add(table, key, hash);
        one->number = (uint32_t)count;
    }
    return one->number;
}

uint32_t groups_subject(struct groups *groups, const char *name, const char *begin, const char *end)
{
    groups->key.size = 0;
    add_text(&groups->key, name);
    add_text(&groups->key, begin);
    add_text(&groups->key, end);
    uint32_t number = find_number(&groups->subject_numbers, &groups->key, groups->subject_count);
    if (number == groups->subject_count) {
        groups->subjects =
            memory_resize(groups->subjects, ++groups->subject_count, sizeof *groups->subjects);
        groups->subjects[number] = (struct subject){copy(name), copy(begin), copy(end)};
    }
    return number;
}

uint32_t groups_split(struct groups *groups, uint32_t subject, const char *by)
{
    groups->key.size = 0;
    bytes_append(&groups->key, &subject, sizeof subject);
    add_text(&groups->key, by);
    uint32_t number = find_number(&groups->split_numbers, &groups->key, groups->split_count);
    if (number == groups->split_count) {
        groups->splits =
            memory_resize(groups->splits, ++groups->split_count, sizeof *groups->splits);
        groups->splits[number] = (struct split){.subject = subject, .by = copy(by)};
    }
    return number;
}

/* ---- Groups. ---- */

static uint64_t hash_of(uint32_t split, struct slice key, bool is_text)
{
    const uint64_t which = (uint64_t)split << 1 | is_text;
    uint64_t hash = hash_bytes(hash_bytes(HASH_START, &which, sizeof which), key.text, key.length);
    return hash ^ hash >> 32;
}

/* The place of that group, or the free one where it would be. */
static uint32_t *find_place(const struct groups *groups, uint32_t split, struct slice key,
                            bool is_text)
{
    size_t at = hash_of(split, key, is_text) & (groups->bucket_count - 1);
    for (;; at = (at + 1) & (groups->bucket_count - 1)) {
        uint32_t number = groups->buckets[at];
        const struct group *group = number ? groups->list[number - 1] : NULL;
        if (!group || (group->split == split && group->is_text == is_text &&
                       slice_compare(group->key, key) == 0))
            return &groups->buckets[at];
    }
}

static void grow(struct groups *groups)
{
    free(groups->buckets);
    groups->bucket_count = groups->bucket_count ? 2 * groups->bucket_count : 256;
    groups->buckets = memory_zeroed(groups->bucket_count, sizeof *groups->buckets);
    for (uint32_t i = 0; i < groups->count; i++) {
        const struct group *group = groups->list[i];
        *find_place(groups, group->split, group->key, group->is_text) = i + 1;
    }
}

uint32_t groups_find(struct groups *groups, uint32_t split, struct slice key, bool is_text)
{
    if (2 * groups->count >= groups->bucket_count)
        grow(groups);
    uint32_t *place = find_place(groups, split, key, is_text);
    if (*place)
        return *place - 1;
    if (groups->splits[split].keys >= groups->most_keys) {
        groups->splits[split].unkept++;
        return GROUP_NONE;
    }
    groups->splits[split].keys++;
    groups->list =
        memory_with_room(groups->list, groups->count, &groups->capacity, sizeof(struct group *));
    struct group *group = memory_zeroed(1, sizeof *group);
    group->split = split;
    group->is_text = is_text;
    group->key = (struct slice){arena_keep(&groups->arena, key.text, key.length), key.length};
    groups->list[groups->count] = group;
    *place = (uint32_t)++groups->count;
    return *place - 1;
}

/* ---- Events. ---- */

/* Let TIME of SIDE be in a slice. */
static void reach(struct groups *groups, unsigned side, int64_t time)
{
    while (!slices_have(&groups->time[side], time)) {
        slices_widen(&groups->time[side]);
        for (size_t i = 0; i < groups->count; i++)
            slices_join(groups->list[i]->sides[side].slices);
    }
}

static void add_run(struct group_side *side, uint32_t recording)
{
    if (!side->run_count || side->runs[side->run_count - 1].recording != recording) {
        side->runs = memory_resize(side->runs, side->run_count + 1, sizeof *side->runs);
        side->runs[side->run_count++] = (struct group_run){recording, 0};
    }
    side->runs[side->run_count - 1].count++;
}

void groups_add(struct groups *groups, uint32_t group, unsigned side, uint32_t recording,
                int64_t time, int64_t latency)
{
    struct group_side *to = &groups->list[group]->sides[side];
    reach(groups, side, time);
    to->slices[time / groups->time[side].width]++;
    add_run(to, recording);
    if (group_subject(groups, groups->list[group])->end) {
        to->values =
            memory_with_room(to->values, (size_t)to->count, &to->capacity, sizeof *to->values);
        to->values[to->count] = latency;
    }
    to->count++;
}

const struct split *group_split(const struct groups *groups, const struct group *group)
{
    return &groups->splits[group->split];
}

const struct subject *group_subject(const struct groups *groups, const struct group *group)
{
    return &groups->subjects[group_split(groups, group)->subject];
}

static void free_side(struct group_side *side)
{
    free(side->values);
    free(side->runs);
}

static void forget_number(void *entry)
{
    (void)entry;
}

void groups_free(struct groups *groups)
{
    key_table_end(&groups->subject_numbers, forget_number);
    key_table_end(&groups->split_numbers, forget_number);
    bytes_free(&groups->key);
    for (size_t i = 0; i < groups->count; i++) {
        free_side(&groups->list[i]->sides[0]);
        free_side(&groups->list[i]->sides[1]);
        free(groups->list[i]);
    }
    for (size_t i = 0; i < groups->subject_count; i++) {
        free(groups->subjects[i].name);
        free(groups->subjects[i].begin);
        free(groups->subjects[i].end);
    }
    for (size_t i = 0; i < groups->split_count; i++)
        free(groups->splits[i].by);
    free(groups->subjects);
    free(groups->splits);
    free(groups->list);
    free(groups->buckets);
    arena_free(&groups->arena);
    *groups = (struct groups){0};
}
