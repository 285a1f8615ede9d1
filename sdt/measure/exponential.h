/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The buckets of a histogram as OpenTelemetry's exponential ones: number I of scale S has the
 * values from 2^(I / 2^S), excluded, to 2^((I + 1) / 2^S). The values of one of our buckets, which
 * are eight for each power of two or linear, go where its middle is.
 */
#ifndef SDT_EXPONENTIAL_H
#define SDT_EXPONENTIAL_H

#include "aggregate.h"

/* Scale 3 has eight buckets for each power of two, as ours; with more than MAX_EXPONENTIAL, which
 * receivers may refuse, two of them are one, again and again. */
enum { EXPONENTIAL_SCALE = 3, MAX_EXPONENTIAL = 160 };

struct exponential {
    int scale, offset; /* the number of the first bucket */
    size_t count;
    uint64_t counts[MAX_EXPONENTIAL];
};

/* Those of ROW that are above zero, or, if IS_NEGATIVE, the absolute values of those below. All are
 * multiplied with FACTOR. */
void exponential_make(struct exponential *to, const struct aggregate *aggregate,
                      const struct aggregate_row *row, bool is_negative, double factor);
/* Give both the lower of their scales. */
void exponential_align(struct exponential *one, struct exponential *other);
/* How many are zero. */
uint64_t exponential_zeros(const struct aggregate *aggregate, const struct aggregate_row *row);

#endif
