/* SPDX-License-Identifier: BSD-2-Clause */
/* See exponential.h. */
#include "exponential.h"

#include <math.h>

/* The middle of a bucket: its sign says where it belongs. */
static double middle_of(const struct aggregate_bucket *bucket)
{
    return ((double)bucket->low + (double)bucket->high) / 2;
}

static int index_of(double value)
{
    return (int)ceil(log2(value) * (1 << EXPONENTIAL_SCALE)) - 1;
}

/* Call VISIT for each bucket with values of the sign that is wanted, with its index. */
static void each(const struct aggregate *aggregate, const struct aggregate_row *row,
                 bool is_negative, double factor, void *data,
                 void (*visit)(void *data, int index, uint64_t count))
{
    for (size_t i = 0; i < live_bucket_count(&aggregate->layout); i++) {
        struct aggregate_bucket bucket;
        if (!aggregate_bucket(aggregate, row, i, &bucket) || !bucket.count)
            continue;
        double value = middle_of(&bucket) * (is_negative ? -factor : factor);
        if (value > 0)
            visit(data, index_of(value), bucket.count);
    }
}

struct range {
    int low, high;
};

static void widen(void *data, int index, uint64_t count)
{
    struct range *range = data;
    (void)count;
    range->low = index < range->low ? index : range->low;
    range->high = index > range->high ? index : range->high;
}

/* INDEX at a lower scale: rounded down, also below zero. */
static int lowered(int index, int by)
{
    return index >= 0 ? index >> by : ~(~index >> by);
}

static void add(void *data, int index, uint64_t count)
{
    struct exponential *to = data;
    to->counts[lowered(index, EXPONENTIAL_SCALE - to->scale) - to->offset] += count;
}

void exponential_make(struct exponential *to, const struct aggregate *aggregate,
                      const struct aggregate_row *row, bool is_negative, double factor)
{
    struct range range = {INT32_MAX, INT32_MIN};
    int by = 0;
    *to = (struct exponential){.scale = EXPONENTIAL_SCALE};
    each(aggregate, row, is_negative, factor, &range, widen);
    if (range.low > range.high)
        return;
    while (lowered(range.high, by) - lowered(range.low, by) >= MAX_EXPONENTIAL)
        by++;
    to->scale -= by;
    to->offset = lowered(range.low, by);
    to->count = (size_t)(lowered(range.high, by) - to->offset) + 1;
    each(aggregate, row, is_negative, factor, to, add);
}

/* In place: a bucket never moves up. */
static void lower(struct exponential *buckets, int scale)
{
    int by = buckets->scale - scale, offset = lowered(buckets->offset, by);
    size_t count = 0;
    for (size_t i = 0; i < buckets->count; i++) {
        size_t to = (size_t)(lowered(buckets->offset + (int)i, by) - offset);
        uint64_t moved = buckets->counts[i];
        buckets->counts[i] = 0;
        buckets->counts[to] += moved;
        count = to + 1;
    }
    buckets->scale = scale;
    buckets->offset = offset;
    buckets->count = count;
}

void exponential_align(struct exponential *one, struct exponential *other)
{
    lower(one, one->scale < other->scale ? one->scale : other->scale);
    lower(other, one->scale);
}

uint64_t exponential_zeros(const struct aggregate *aggregate, const struct aggregate_row *row)
{
    uint64_t zeros = 0;
    for (size_t i = 0; i < live_bucket_count(&aggregate->layout); i++) {
        struct aggregate_bucket bucket;
        if (aggregate_bucket(aggregate, row, i, &bucket) && middle_of(&bucket) == 0)
            zeros += bucket.count;
    }
    return zeros;
}
