/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See bootstrap_changes(). A resample is a weight for each block: how often it was drawn. A
 * quantile is then a walk through the values in order, which adds up the weights of their blocks.
 * Of large samples, each n-th value in order of size takes part: that leaves the quantiles where
 * they are, and makes intervals a little wider.
 */
#include "base/memory.h"
#include "statistics.h"

#include <stdlib.h>
#include <string.h>

enum { RESAMPLES = 1000, MOST_VALUES = 20000 };

const double change_shares[CHANGES] = {0, 0.5, 0.9, 0.99};

/* splitmix64: every seed is a good one. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t word = *state += UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

/* What a sample is drawn from. */
struct urn {
    struct sample sample; /* thinned */
    double *sums;         /* of the values of each block: all of them */
    size_t *counts, *thinned_counts;
    uint32_t *weights;
};

static void urn_make(struct urn *urn, const struct sample *sample)
{
    size_t step = sample->count / MOST_VALUES + 1;
    *urn = (struct urn){
        .sample = {.blocks = sample->blocks},
        .sums = memory_zeroed(sample->blocks, sizeof(double)),
        .counts = memory_zeroed(sample->blocks, sizeof(size_t)),
        .thinned_counts = memory_zeroed(sample->blocks, sizeof(size_t)),
        .weights = memory_zeroed(sample->blocks, sizeof(uint32_t)),
    };
    urn->sample.values = memory_zeroed(sample->count / step + 1, sizeof *urn->sample.values);
    for (size_t i = 0; i < sample->count; i++) {
        urn->sums[sample->values[i].block] += (double)sample->values[i].value;
        urn->counts[sample->values[i].block]++;
    }
    for (size_t i = step / 2; i < sample->count; i += step) {
        urn->sample.values[urn->sample.count++] = sample->values[i];
        urn->thinned_counts[sample->values[i].block]++;
    }
}

static void urn_free(struct urn *urn)
{
    free(urn->sample.values);
    free(urn->sums);
    free(urn->counts);
    free(urn->thinned_counts);
    free(urn->weights);
}

/* The mean and the quantiles of what was drawn. */
static void statistics_of(const struct urn *urn, double numbers[CHANGES])
{
    double sum = 0, count = 0, thinned = 0, passed = 0;
    for (size_t i = 0; i < urn->sample.blocks; i++) {
        sum += urn->weights[i] * urn->sums[i];
        count += urn->weights[i] * (double)urn->counts[i];
        thinned += urn->weights[i] * (double)urn->thinned_counts[i];
    }
    numbers[CHANGE_MEAN] = sum / count;
    size_t at = 0;
    for (int i = CHANGE_P50; i < CHANGES; i++) {
        const struct sample_value *values = urn->sample.values;
        double wanted = change_shares[i] * thinned;
        while (at + 1 < urn->sample.count && passed + urn->weights[values[at].block] <= wanted)
            passed += urn->weights[values[at++].block];
        numbers[i] = (double)values[at].value;
    }
}

static void draw(struct urn *urn, uint64_t *random)
{
    memset(urn->weights, 0, urn->sample.blocks * sizeof *urn->weights);
    for (size_t i = 0; i < urn->sample.blocks; i++)
        urn->weights[next_random(random) % urn->sample.blocks]++;
}

static double relative(double from, double to)
{
    return from > 0 ? to / from - 1 : to > 0 ? 1 : 0;
}

static int compare_doubles(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static void take_interval(struct change *change, double *resampled)
{
    qsort(resampled, RESAMPLES, sizeof *resampled, compare_doubles);
    change->low = resampled[RESAMPLES / 40];
    change->high = resampled[RESAMPLES - 1 - RESAMPLES / 40];
}

void bootstrap_changes(const struct sample *a, const struct sample *b, uint64_t seed,
                       struct change changes[CHANGES])
{
    struct urn urns[2];
    double of_a[CHANGES], of_b[CHANGES];
    double *resampled = memory_zeroed((size_t)CHANGES * RESAMPLES, sizeof *resampled);
    urn_make(&urns[0], a);
    urn_make(&urns[1], b);
    for (size_t n = 0; n < RESAMPLES; n++) {
        draw(&urns[0], &seed);
        draw(&urns[1], &seed);
        statistics_of(&urns[0], of_a);
        statistics_of(&urns[1], of_b);
        for (int i = 0; i < CHANGES; i++)
            resampled[(size_t)i * RESAMPLES + n] = relative(of_a[i], of_b[i]);
    }
    for (int i = 0; i < CHANGES; i++) {
        double share = change_shares[i];
        changes[i].change = share > 0
                                ? relative(sample_quantile(a, share), sample_quantile(b, share))
                                : relative(sample_mean(a), sample_mean(b));
        take_interval(&changes[i], resampled + (size_t)i * RESAMPLES);
    }
    urn_free(&urns[0]);
    urn_free(&urns[1]);
    free(resampled);
}
