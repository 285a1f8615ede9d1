/* SPDX-License-Identifier: BSD-2-Clause */
#include "aggregate.h"

#include <stdlib.h>
#include <string.h>

/* ---- Keys. ---- */

static int compare_part(const struct live_key *a, const struct live_key *b, unsigned i)
{
    if (a->type[i] != b->type[i])
        return a->type[i] < b->type[i] ? -1 : 1;
    if (a->type[i] == LIVE_NONE)
        return 0;
    if (a->type[i] == LIVE_SIGNED)
        return ((int64_t)a->number[i] > (int64_t)b->number[i]) -
               ((int64_t)a->number[i] < (int64_t)b->number[i]);
    if (a->type[i] != LIVE_STRING)
        return (a->number[i] > b->number[i]) - (a->number[i] < b->number[i]);
    size_t n = a->length[i] < b->length[i] ? a->length[i] : b->length[i];
    int order = memcmp(a->text[i], b->text[i], n);
    return order ? order : (a->length[i] > b->length[i]) - (a->length[i] < b->length[i]);
}

bool aggregate_is_same_key(const struct live_key *one, const struct live_key *other)
{
    return compare_part(one, other, 0) == 0 && compare_part(one, other, 1) == 0;
}

static int compare_keys(const void *one, const void *other)
{
    const struct aggregate_row *a = one, *b = other;
    int order = compare_part(&a->key, &b->key, 0);
    return order ? order : compare_part(&a->key, &b->key, 1);
}

static int compare_counts(const void *one, const void *other)
{
    const struct aggregate_row *a = one, *b = other;
    if (a->sums.count != b->sums.count)
        return a->sums.count > b->sums.count ? -1 : 1;
    return compare_keys(one, other);
}

/* ---- Reading. ---- */

/* Append the rows of VIEW that have a key. */
static void find_rows(struct aggregate *aggregate, size_t *capacity, const struct live_view *view,
                      size_t number)
{
    struct live_key key;
    for (uint32_t row = 0; row < live_rows(&view->layout); row++) {
        if (!live_row_key(view, row, &key))
            continue;
        aggregate->rows =
            memory_with_room(aggregate->rows, aggregate->count, capacity, sizeof *aggregate->rows);
        /* For now, the numbers of view and row are where its count will be. */
        aggregate->rows[aggregate->count++] =
            (struct aggregate_row){.key = key, .sums = {.count = (uint64_t)number << 32 | row}};
    }
}

/* Rows with the same key, which lie side by side, become one. */
static void sum_rows(struct aggregate *aggregate, const struct live_view *const views[])
{
    size_t n = live_bucket_count(&aggregate->layout), kept = 0;
    aggregate->buckets = memory_zeroed(aggregate->count * n + 1, sizeof *aggregate->buckets);
    for (size_t i = 0; i < aggregate->count; i++) {
        uint32_t row = (uint32_t)aggregate->rows[i].sums.count;
        const struct live_view *view = views[aggregate->rows[i].sums.count >> 32];
        bool is_new = !kept || compare_keys(&aggregate->rows[kept - 1], &aggregate->rows[i]) != 0;
        if (is_new) {
            aggregate->rows[kept] = aggregate->rows[i];
            aggregate->rows[kept].sums =
                (struct live_sums){.buckets = n ? aggregate->buckets + kept * n : NULL};
            kept++;
        }
        live_row_add(view, row, &aggregate->rows[kept - 1].sums);
    }
    aggregate->count = kept;
}

static void drop_empty(struct aggregate *aggregate)
{
    size_t kept = 0;
    for (size_t i = 0; i < aggregate->count; i++)
        if (aggregate->rows[i].sums.count || !aggregate->layout.spec.keys)
            aggregate->rows[kept++] = aggregate->rows[i];
    aggregate->count = kept;
    if (kept)
        qsort(aggregate->rows, kept, sizeof *aggregate->rows, compare_counts);
}

void aggregate_read_all(struct aggregate *aggregate, const struct live_view *const views[],
                        size_t n)
{
    size_t capacity = 0;
    *aggregate = (struct aggregate){.count = 0};
    if (n)
        aggregate->layout = views[0]->layout;
    for (size_t i = 0; i < n; i++)
        find_rows(aggregate, &capacity, views[i], i);
    if (aggregate->count)
        qsort(aggregate->rows, aggregate->count, sizeof *aggregate->rows, compare_keys);
    sum_rows(aggregate, views);
    drop_empty(aggregate);
    for (size_t i = 0; i < n; i++) {
        const struct live_table *table = (const void *)views[i]->memory;
        aggregate->overflow += atomic_load(&table->overflow);
        aggregate->missing += atomic_load(&table->missing);
        aggregate->unmatched += atomic_load(&table->unmatched);
        aggregate->restarted += atomic_load(&table->restarted);
        aggregate->evicted += atomic_load(&table->evicted);
        aggregate->unkept += atomic_load(&table->unkept);
    }
}

void aggregate_read(struct aggregate *aggregate, const struct live_view *view)
{
    aggregate_read_all(aggregate, &view, 1);
}

void aggregate_free(struct aggregate *aggregate)
{
    free(aggregate->rows);
    free(aggregate->buckets);
    *aggregate = (struct aggregate){.count = 0};
}

void aggregate_copy(struct aggregate *copy, const struct aggregate *from)
{
    size_t n = live_bucket_count(&from->layout);
    *copy = *from;
    copy->rows = memory_zeroed(from->count + 1, sizeof *copy->rows);
    copy->buckets = memory_zeroed(from->count * n + 1, sizeof *copy->buckets);
    for (size_t i = 0; i < from->count; i++) {
        copy->rows[i] = from->rows[i];
        if (!n)
            continue;
        copy->rows[i].sums.buckets = copy->buckets + i * n;
        memcpy(copy->rows[i].sums.buckets, from->rows[i].sums.buckets, n * sizeof(uint64_t));
    }
}

/* ---- Addition. ---- */

static void add_notes(struct aggregate *to, const struct aggregate *more)
{
    to->overflow += more->overflow;
    to->missing += more->missing;
    to->unmatched += more->unmatched;
    to->restarted += more->restarted;
    to->evicted += more->evicted;
    to->unkept += more->unkept;
}

/* Extremes are kept so that the larger number is the one that counts (exchange/table.h). */
static void add_row(struct live_sums *to, const struct live_sums *more, size_t buckets)
{
    to->count += more->count;
    to->sum += more->sum;
    to->max = to->max > more->max ? to->max : more->max;
    to->min = to->min > more->min ? to->min : more->min;
    for (size_t i = 0; i < buckets; i++)
        to->buckets[i] += more->buckets[i];
}

void aggregate_add(struct aggregate *to, const struct aggregate *more)
{
    size_t n = live_bucket_count(&more->layout), count = to->count + more->count, kept = 0;
    struct aggregate_row *rows = memory_zeroed(count + 1, sizeof *rows);
    uint64_t *buckets = memory_zeroed(count * n + 1, sizeof *buckets);
    if (to->count)
        memcpy(rows, to->rows, to->count * sizeof *rows);
    if (more->count)
        memcpy(rows + to->count, more->rows, more->count * sizeof *rows);
    qsort(rows, count, sizeof *rows, compare_keys);
    for (size_t i = 0; i < count; i++) {
        const struct live_sums sums = rows[i].sums;
        if (!kept || compare_keys(&rows[kept - 1], &rows[i]) != 0) {
            rows[kept] = rows[i];
            rows[kept].sums = (struct live_sums){.buckets = n ? buckets + kept * n : NULL};
            kept++;
        }
        add_row(&rows[kept - 1].sums, &sums, n);
    }
    free(to->rows);
    free(to->buckets);
    to->layout = more->layout;
    to->rows = rows;
    to->count = kept;
    to->buckets = buckets;
    add_notes(to, more);
    drop_empty(to);
}

uint64_t aggregate_trim(struct aggregate *aggregate, size_t most)
{
    uint64_t hits = 0;
    for (size_t i = most; i < aggregate->count; i++)
        hits += aggregate->rows[i].sums.count;
    aggregate->count = aggregate->count < most ? aggregate->count : most;
    return hits;
}

/* ---- Differences. ---- */

static void subtract_row(struct aggregate *now, struct aggregate_row *row,
                         const struct aggregate_row *before)
{
    size_t n = live_bucket_count(&now->layout);
    row->sums.count -= before->sums.count;
    row->sums.sum -= before->sums.sum;
    for (size_t i = 0; i < n; i++)
        row->sums.buckets[i] -= before->sums.buckets[i];
}

void aggregate_subtract(struct aggregate *now, const struct aggregate *before)
{
    size_t at = 0;
    struct aggregate_row *sorted = memory_zeroed(before->count + 1, sizeof *sorted);
    if (before->count)
        memcpy(sorted, before->rows, before->count * sizeof *sorted);
    qsort(sorted, before->count, sizeof *sorted, compare_keys);
    if (now->count)
        qsort(now->rows, now->count, sizeof *now->rows, compare_keys);
    for (size_t i = 0; i < now->count; i++) {
        while (at < before->count && compare_keys(&sorted[at], &now->rows[i]) < 0)
            at++;
        if (at < before->count && compare_keys(&sorted[at], &now->rows[i]) == 0)
            subtract_row(now, &now->rows[i], &sorted[at]);
    }
    free(sorted);
    drop_empty(now);
    now->overflow -= before->overflow;
    now->missing -= before->missing;
    now->unmatched -= before->unmatched;
    now->restarted -= before->restarted;
    now->evicted -= before->evicted;
    now->unkept -= before->unkept;
}
