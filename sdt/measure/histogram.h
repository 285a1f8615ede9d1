/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A histogram for people: a line of numbers, and bars.
 *
 *     count 389488  min 530  mean 1 403  p50 1.4 us …
 *         1.0 us |███████████████████▍ 162995
 */
#ifndef SDT_HISTOGRAM_H
#define SDT_HISTOGRAM_H

#include "aggregate.h"

#include <stdio.h>

struct histogram_style {
    unsigned width; /* columns */
    bool is_utf8;   /* else in ASCII */
    bool is_time;   /* values are nanoseconds */
};

/* For OUT: a terminal's width, or $COLUMNS, or 80; UTF-8 if the locale of the environment is. */
struct histogram_style histogram_style_of(FILE *out);

/* Count, min, mean, percentiles, max; one line. */
void histogram_summary(struct bytes *to, const struct aggregate *aggregate,
                       const struct aggregate_row *row, const struct histogram_style *style);
/* Bars, one line each; at most 24, or a few more. */
void histogram_bars(struct bytes *to, const struct aggregate *aggregate,
                    const struct aggregate_row *row, const struct histogram_style *style);
/* A value as it is shown: 4096 as 4K, 1500 ns as 1.50 us. */
void histogram_value(struct bytes *to, __int128 value, bool is_time);
/* A bar, of at most WIDTH columns. */
void histogram_bar(struct bytes *to, double share, unsigned width, bool is_utf8);

#endif
