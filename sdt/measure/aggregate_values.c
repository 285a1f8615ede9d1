/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Of the histograms of a table: buckets, minimum, maximum, mean, percentiles.
 *
 * Values have 64 bits, and a double has 53: so what is computed stays an integer and a fraction. As
 * a double, the largest of them would be 18446744073709551616, which no argument ever was.
 */
#include "aggregate.h"
#include "print/text.h"

#include <math.h>
#include <stdio.h>

bool aggregate_bucket(const struct aggregate *aggregate, const struct aggregate_row *row, size_t i,
                      struct aggregate_bucket *bucket)
{
    size_t n = live_bucket_count(&aggregate->layout),
           negative = n > LIVE_BUCKETS ? LIVE_BUCKETS : 0;
    /* The second half, backwards, comes first. */
    size_t number = i < negative ? n - 1 - i : i - negative;
    bucket->count = row->sums.buckets[number];
    return live_bucket_bounds(&aggregate->layout, (uint32_t)number, &bucket->low, &bucket->high);
}

void aggregate_number(struct bytes *to, __int128 number)
{
    enum { DIGITS = 18 };
    const __int128 most = 1000000000000000000; /* of so many zeros */
    if (number < 0)
        text_char(to, '-');
    unsigned __int128 natural = number < 0 ? -(unsigned __int128)number : (unsigned __int128)number;
    if (natural <= UINT64_MAX) {
        text_natural(to, (uint64_t)natural);
        return;
    }
    aggregate_number(to, (__int128)(natural / (unsigned __int128)most)); /* fewer than 2^69 */
    text_zeros(to, (uint64_t)(natural % (unsigned __int128)most), DIGITS);
}

/* Of what `max` or `~min` of a row says. */
static __int128 unbiased(const struct aggregate *aggregate, uint64_t number)
{
    return aggregate->layout.spec.value == LIVE_SIGNED
               ? (__int128)(int64_t)(number ^ UINT64_C(1) << 63)
               : (__int128)number;
}

/* The first or last bucket that is not empty. */
static bool find_end(const struct aggregate *aggregate, const struct aggregate_row *row,
                     bool is_last, struct aggregate_bucket *found)
{
    size_t n = live_bucket_count(&aggregate->layout);
    for (size_t i = 0; i < n; i++)
        if (aggregate_bucket(aggregate, row, is_last ? n - 1 - i : i, found) && found->count)
            return true;
    return false;
}

/* The table may say anything: what is not in the bucket at that end is not believed. */
__int128 aggregate_min(const struct aggregate *aggregate, const struct aggregate_row *row)
{
    struct aggregate_bucket bucket = {0, 0, 0};
    __int128 exact = unbiased(aggregate, ~row->sums.min);
    bool is_known =
        find_end(aggregate, row, false, &bucket) && exact >= bucket.low && exact <= bucket.high;
    return is_known ? exact : bucket.low;
}

__int128 aggregate_max(const struct aggregate *aggregate, const struct aggregate_row *row)
{
    struct aggregate_bucket bucket = {0, 0, 0};
    __int128 exact = unbiased(aggregate, row->sums.max);
    bool is_known =
        find_end(aggregate, row, true, &bucket) && exact >= bucket.low && exact <= bucket.high;
    return is_known ? exact : bucket.high;
}

/* ---- Numbers that need not be whole. ---- */

/* What a double holds exactly, with a fraction. */
static bool is_small(__int128 whole)
{
    const __int128 limit = (__int128)1 << 53;
    return whole > -limit && whole < limit;
}

double aggregate_double(struct aggregate_real number)
{
    return (double)number.whole + number.part;
}

static __int128 rounded(struct aggregate_real number)
{
    return number.whole + (number.part >= 0.5);
}

void aggregate_real_text(struct bytes *to, struct aggregate_real number)
{
    double real = aggregate_double(number);
    if (!is_small(number.whole))
        aggregate_number(to, rounded(number));
    else {
        char text[64];
        snprintf(text, sizeof text, fabs(real) < 100 && floor(real) != real ? "%.1f" : "%.0f",
                 real);
        text_append(to, text);
    }
}

void aggregate_real_json(struct bytes *to, struct aggregate_real number)
{
    if (is_small(number.whole))
        text_real(to, aggregate_double(number));
    else
        aggregate_number(to, rounded(number));
}

/* ---- Sums. ---- */

/* From the buckets: right to a sixteenth. */
static double estimate_sum(const struct aggregate *aggregate, const struct aggregate_row *row,
                           __int128 low, __int128 high)
{
    size_t n = live_bucket_count(&aggregate->layout);
    double estimate = 0;
    for (size_t i = 0; i < n; i++) {
        struct aggregate_bucket bucket;
        if (!aggregate_bucket(aggregate, row, i, &bucket) || !bucket.count)
            continue;
        double from = (double)(bucket.low > low ? bucket.low : low);
        double to = (double)(bucket.high < high ? bucket.high : high);
        estimate += (from + to) / 2 * (double)bucket.count;
    }
    return estimate;
}

/* WHOLE / COUNT, rounded down, and the rest. */
static struct aggregate_real divide(__int128 whole, uint64_t count)
{
    __int128 quotient = whole / (__int128)count, rest = whole % (__int128)count;
    if (rest < 0) {
        quotient--;
        rest += (__int128)count;
    }
    return (struct aggregate_real){quotient, (double)rest / (double)count};
}

/* The sum is known modulo 2^64, and roughly. Where both fit together, exactly. */
struct aggregate_sum aggregate_sum(const struct aggregate *aggregate,
                                   const struct aggregate_row *row)
{
    __int128 low = aggregate_min(aggregate, row), high = aggregate_max(aggregate, row);
    double estimate = estimate_sum(aggregate, row, low, high);
    struct aggregate_sum sum = {.estimate = estimate};
    if (row->sums.count == 0 || !(fabs(estimate) < 0x1p66))
        return sum;
    __int128 known = aggregate->layout.spec.value == LIVE_SIGNED ? (__int128)(int64_t)row->sums.sum
                                                                 : (__int128)row->sums.sum;
    __int128 turns = (__int128)round((estimate - (double)known) / 0x1p64);
    sum.whole = known + turns * ((__int128)1 << 64);
    struct aggregate_real mean = divide(sum.whole, row->sums.count);
    sum.is_exact = mean.whole >= low && (mean.whole < high || (mean.whole == high && !mean.part));
    return sum;
}

struct aggregate_real aggregate_mean(const struct aggregate *aggregate,
                                     const struct aggregate_row *row)
{
    struct aggregate_sum sum = aggregate_sum(aggregate, row);
    if (sum.is_exact)
        return divide(sum.whole, row->sums.count);
    __int128 low = aggregate_min(aggregate, row), high = aggregate_max(aggregate, row);
    double mean = row->sums.count ? sum.estimate / (double)row->sums.count : 0;
    if (!(mean > (double)low) || mean >= (double)high)
        return (struct aggregate_real){mean >= (double)high ? high : low, 0};
    return (struct aggregate_real){(__int128)floor(mean), mean - floor(mean)};
}

/* ---- Percentiles. ---- */

/* SHARE of the way from LOW to HIGH. */
static struct aggregate_real between(__int128 low, __int128 high, double share)
{
    double way = high > low ? (double)(high - low) * share : 0;
    __int128 whole = low + (__int128)floor(way);
    return whole < high ? (struct aggregate_real){whole, way - floor(way)}
                        : (struct aggregate_real){high, 0};
}

struct aggregate_real aggregate_percentile(const struct aggregate *aggregate,
                                           const struct aggregate_row *row, double share)
{
    size_t n = live_bucket_count(&aggregate->layout);
    double rank = share * (double)row->sums.count, passed = 0;
    __int128 low = aggregate_min(aggregate, row), high = aggregate_max(aggregate, row);
    for (size_t i = 0; i < n; i++) {
        struct aggregate_bucket bucket;
        if (!aggregate_bucket(aggregate, row, i, &bucket) || !bucket.count)
            continue;
        if (passed + (double)bucket.count >= rank)
            return between(bucket.low > low ? bucket.low : low,
                           bucket.high < high ? bucket.high : high,
                           fmax(0, rank - passed) / (double)bucket.count);
        passed += (double)bucket.count;
    }
    return (struct aggregate_real){high, 0};
}
