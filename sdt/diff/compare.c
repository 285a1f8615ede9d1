/* SPDX-License-Identifier: BSD-2-Clause */
/* See compare.h. */
#include "compare.h"

#include "base/hash.h"

#include "pace.h"

#include <math.h>
#include <stdlib.h>

/* Blocks of a sample: enough for a distribution of t that has no long tails, few enough that values
 * of one block have much in common. Recordings are blocks if there are that many. */
enum { BLOCKS = 32, LEAST_RECORDINGS = 5 };
/* Values that are tested at all; and so many that five are in the slowest hundredth. */
enum { LEAST_VALUES = 20, LEAST_FOR_TAIL = 500 };
/* Up to this quantile of both sides, latencies are the usual ones. */
static const double usual = 0.95;
/* All findings together are wrong with this probability. How many of a kind come is as often chance
 * or the machine as it is the program, so that is to be surer. */
static const double levels[TESTS] = {0.01, 0.01, 0.001};

static double relative(double from, double to)
{
    return from > 0 ? to / from - 1 : to > 0 ? INFINITY : 0;
}

/* ---- Samples. ---- */

static bool has_many_recordings(const struct comparison *comparison)
{
    return comparison->sides[0].recordings >= LEAST_RECORDINGS &&
           comparison->sides[1].recordings >= LEAST_RECORDINGS;
}

static void number_by_run(struct sample *sample, const struct group_side *side)
{
    size_t at = 0;
    for (size_t i = 0; i < side->run_count; i++)
        for (uint64_t k = 0; k < side->runs[i].count; k++)
            sample->values[at++].block = (uint32_t)i;
    sample->blocks = (uint32_t)side->run_count;
}

static void number_by_order(struct sample *sample)
{
    sample->blocks = sample->count < BLOCKS ? (uint32_t)sample->count : BLOCKS;
    for (size_t i = 0; i < sample->count; i++)
        sample->values[i].block = (uint32_t)(i * sample->blocks / sample->count);
}

struct sample row_sample(const struct comparison *comparison, const struct row *row, unsigned which)
{
    const struct group_side *side = &row->group->sides[which];
    struct sample sample = {memory_zeroed((size_t)side->count + 1, sizeof *sample.values),
                            (size_t)side->count, 0};
    for (size_t i = 0; i < sample.count; i++)
        sample.values[i].value = side->values[i];
    if (has_many_recordings(comparison) && side->run_count >= 2)
        number_by_run(&sample, side);
    else
        number_by_order(&sample);
    qsort(sample.values, sample.count, sizeof *sample.values, sample_compare);
    return sample;
}

bool row_has_latencies(const struct row *row)
{
    return row->subject->end && row->sides[0].count && row->sides[1].count;
}

static void describe(const struct sample *sample, double statistics[CHANGES])
{
    statistics[CHANGE_MEAN] = sample_mean(sample);
    for (int i = CHANGE_P50; i < CHANGES; i++)
        statistics[i] = sample_quantile(sample, change_shares[i]);
}

/* The parts are finished when rates are known: find_parts(). */
static void find_changes(struct row *row, const struct sample *a, const struct sample *b)
{
    int64_t limit = sample_common_quantile(a, b, usual);
    for (int i = 0; i < CHANGES; i++)
        row->changes[i].change = relative(row->sides[0].statistics[i], row->sides[1].statistics[i]);
    row->usual_part = sample_mean_below(b, limit) - sample_mean_below(a, limit);
    row->slowest_part = row->sides[1].statistics[CHANGE_MEAN] -
                        row->sides[0].statistics[CHANGE_MEAN] - row->usual_part;
}

static void compare_latencies(const struct comparison *comparison, struct row *row)
{
    struct sample samples[2];
    for (unsigned which = 0; which < 2; which++) {
        samples[which] = row_sample(comparison, row, which);
        if (samples[which].count)
            describe(&samples[which], row->sides[which].statistics);
    }
    uint64_t least =
        row->sides[0].count < row->sides[1].count ? row->sides[0].count : row->sides[1].count;
    if (least >= LEAST_VALUES && samples[0].blocks > 1 && samples[1].blocks > 1) {
        row->p[TEST_RANKS] = test_ranks(&samples[0], &samples[1], &row->greater).p;
        if (least >= LEAST_FOR_TAIL)
            row->p[TEST_TAIL] = test_tail(&samples[0], &samples[1], 0.99).p;
    }
    if (row_has_latencies(row))
        find_changes(row, &samples[0], &samples[1]);
    free(samples[0].values);
    free(samples[1].values);
}

/* ---- Rates. ---- */

static void compare_rates(const struct comparison *comparison, struct row *row,
                          const struct pace *pace)
{
    for (unsigned which = 0; which < 2; which++) {
        double duration = (double)side_duration(&comparison->sides[which]);
        row->sides[which].count = row->group->sides[which].count;
        row->sides[which].rate =
            duration > 0 ? (double)row->sides[which].count * 1e9 / duration : 0;
    }
    row->rate_change = relative(row->sides[0].rate, row->sides[1].rate);
    row->share_change = relative((double)row->sides[0].count / pace->all[0],
                                 (double)row->sides[1].count / pace->all[1]);
    if (row->sides[0].count < LEAST_VALUES && row->sides[1].count < LEAST_VALUES)
        return;
    row->pace = pace_test(pace, row->group, false);
    row->p[TEST_RATE] = pace_test(pace, row->group, true);
}

/* ---- Rows. ---- */

static void find_parts(struct row *row)
{
    const struct row_side *a = &row->sides[0], *b = &row->sides[1];
    double mean_a = a->statistics[CHANGE_MEAN], mean_b = b->statistics[CHANGE_MEAN];
    if (!row_has_latencies(row)) { /* all of it has come, or gone */
        row->rate_part = b->rate * mean_b - a->rate * mean_a;
        return;
    }
    row->usual_part *= (a->rate + b->rate) / 2;
    row->slowest_part *= (a->rate + b->rate) / 2;
    row->rate_part = (b->rate - a->rate) * (mean_a + mean_b) / 2;
}

static void make_row(struct comparison *comparison, const struct group *group,
                     const struct pace *pace)
{
    struct row *row = &comparison->rows[comparison->count++];
    *row = (struct row){.group = group,
                        .split = group_split(comparison->groups, group),
                        .subject = group_subject(comparison->groups, group),
                        .p = {NAN, NAN, NAN},
                        .pace = NAN,
                        .surest = 1,
                        .greater = 0.5};
    compare_rates(comparison, row, pace);
    if (row->subject->end)
        compare_latencies(comparison, row);
    find_parts(row);
}

/* Without --by, one key says nothing that the whole does not; too many do not explain, they
 * identify; and of a few events nothing can be said. */
static bool is_wanted(const struct split *split, const struct group *group, bool has_keys)
{
    bool is_enough = group->sides[0].count >= LEAST_VALUES || group->sides[1].count >= LEAST_VALUES;
    return !split->by || has_keys || (split->keys > 1 && !split->unkept && is_enough);
}

static void make_rows(struct comparison *comparison, bool has_keys)
{
    const struct groups *groups = comparison->groups;
    struct pace pace;
    pace_make(&pace, groups, comparison->sides, has_many_recordings(comparison));
    comparison->rows = memory_zeroed(groups->count + 1, sizeof *comparison->rows);
    comparison->left_out = memory_zeroed(groups->split_count + 1, sizeof(char *));
    for (size_t i = 0; i < groups->count; i++)
        if (is_wanted(group_split(groups, groups->list[i]), groups->list[i], has_keys))
            make_row(comparison, groups->list[i], &pace);
    pace_free(&pace);
    for (size_t i = 0; i < groups->split_count; i++) {
        const struct split *split = &groups->splits[i];
        if (has_keys)
            comparison->unkept += split->unkept;
        else if (split->unkept)
            comparison->left_out[comparison->left_out_count++] = split->by;
    }
}

static void correct(struct comparison *comparison)
{
    double *all = memory_zeroed(comparison->count * TESTS + 1, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++)
        for (int k = 0; k < TESTS; k++)
            if (!isnan(comparison->rows[i].p[k])) {
                all[count++] = comparison->rows[i].p[k];
                comparison->rows[i].surest =
                    fmin(comparison->rows[i].surest, comparison->rows[i].p[k]);
            }
    holm_correct(all, count);
    count = 0;
    for (size_t i = 0; i < comparison->count; i++)
        for (int k = 0; k < TESTS; k++)
            if (!isnan(comparison->rows[i].p[k]))
                comparison->rows[i].p[k] = all[count++];
    free(all);
}

/* ---- Findings. ---- */

static bool is_sure(const struct row *row, int test)
{
    return row->p[test] < levels[test]; /* not if it is NAN */
}

static unsigned direction(double change, double least, unsigned up, unsigned down)
{
    return change >= least ? up : change <= -least ? down : 0;
}

/* By how much ROW is slower or faster, as the test of ranks says it is: at p50, or a third of what
 * it is at p90, if that is more. 0: at neither. */
static double typical_change(const struct row *row)
{
    double p50 = row->changes[CHANGE_P50].change, p90 = row->changes[CHANGE_P90].change / 3;
    return row->greater > 0.5 ? fmax(fmax(p50, p90), 0) : fmin(fmin(p50, p90), 0);
}

/* That of two changes which is nearer to 0; 0 if they contradict each other. */
static double smaller(double one, double other)
{
    if ((one > 0) != (other > 0))
        return 0;
    return fabs(one) < fabs(other) ? one : other;
}

static void judge(const struct comparison *comparison, struct row *row)
{
    double least = comparison->at_least[0];
    if (is_sure(row, TEST_RANKS))
        row->findings |= direction(typical_change(row), least, FINDING_SLOWER, FINDING_FASTER);
    if (is_sure(row, TEST_TAIL) && !row->findings)
        row->findings |= direction(row->changes[CHANGE_P99].change, least, FINDING_TAIL_SLOWER,
                                   FINDING_TAIL_FASTER);
    if (is_sure(row, TEST_RATE))
        row->findings |= direction(smaller(row->rate_change, row->share_change),
                                   comparison->at_least[1], FINDING_MORE, FINDING_FEWER);
}

/* A finding is sorted by the largest part that was found. */
static void find_rank(struct row *row)
{
    bool is_usual = row->findings & (FINDING_SLOWER | FINDING_FASTER);
    bool is_rate = row->findings & (FINDING_MORE | FINDING_FEWER);
    row->rank = is_usual || is_rate ? RANK_USUAL : row->findings ? RANK_SLOWEST : RANK_NOTHING;
    row->part = is_usual || is_rate ? 0 : row->slowest_part;
    if (is_usual)
        row->part = row->usual_part;
    if (is_rate && fabs(row->rate_part) > fabs(row->part))
        row->part = row->rate_part;
    if (!row->findings)
        row->part = row->usual_part + row->slowest_part + row->rate_part;
}

/* What is below the level is sorted by how sure it is, since noise contributes most. */
static int by_contribution(const void *a, const void *b)
{
    const struct row *one = a, *other = b;
    if (one->rank != other->rank)
        return one->rank < other->rank ? -1 : 1;
    double of_one = fabs(one->part), of_other = fabs(other->part);
    if (one->findings && of_one != of_other)
        return of_one > of_other ? -1 : 1;
    if (one->surest != other->surest)
        return one->surest < other->surest ? -1 : 1;
    if (of_one != of_other)
        return of_one > of_other ? -1 : 1;
    return one->group->split != other->group->split
               ? (one->group->split < other->group->split ? -1 : 1)
               : slice_compare(one->group->key, other->group->key);
}

void comparison_make(struct comparison *comparison, bool has_keys)
{
    make_rows(comparison, has_keys);
    correct(comparison);
    for (size_t i = 0; i < comparison->count; i++) {
        judge(comparison, &comparison->rows[i]);
        comparison->findings += comparison->rows[i].findings != 0;
    }
    for (size_t i = 0; i < comparison->count; i++)
        find_rank(&comparison->rows[i]);
    qsort(comparison->rows, comparison->count, sizeof *comparison->rows, by_contribution);
}

void comparison_free(struct comparison *comparison)
{
    free(comparison->rows);
    free(comparison->left_out);
    comparison->rows = NULL;
    comparison->left_out = NULL;
}

/* ---- Intervals. ---- */

/* A row's own, whatever other rows there are. */
static uint64_t seed_of(const struct row *row)
{
    const struct slice key = row->group->key;
    uint64_t seed = hash_bytes(HASH_START, key.text, key.length);
    return hash_bytes(seed, row->subject->name, strlen(row->subject->name));
}

void row_find_intervals(const struct comparison *comparison, struct row *row)
{
    if (row->has_intervals || !row_has_latencies(row))
        return;
    struct sample a = row_sample(comparison, row, 0), b = row_sample(comparison, row, 1);
    bootstrap_changes(&a, &b, seed_of(row), row->changes);
    row->has_intervals = true;
    free(a.values);
    free(b.values);
}
