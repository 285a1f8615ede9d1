/* SPDX-License-Identifier: BSD-2-Clause */
/* Histograms with logarithmic buckets, filled by any thread, drawn in the terminal. */
#ifndef DEMO_DRAW_H
#define DEMO_DRAW_H

#include <stdatomic.h>
#include <stdint.h>

/* Two buckets an octave: bucket 2k counts [2^k, 1.5 * 2^k), bucket 2k+1 [1.5 * 2^k, 2^(k+1)). */
#define HISTOGRAM_BUCKETS 96

struct histogram {
    atomic_ulong bucket[HISTOGRAM_BUCKETS];
};

void histogram_add(struct histogram *h, uint64_t nanoseconds);
/* A value that the part FRACTION of all entries does not exceed, as exact as the buckets are. */
uint64_t histogram_quantile(const struct histogram *h, double fraction);

/* "1.5 us"; valid until the eighth next call. */
const char *draw_time(uint64_t nanoseconds);
/* The last thousandth of the entries is not drawn, only counted. */
void draw_histogram(const char *title, const struct histogram *h);
/* A heading, bold on a terminal. */
void draw_heading(const char *text);

#endif
