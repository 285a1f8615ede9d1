/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How many events there are in each slice of a side's time: what tells whether a rate has changed,
 * or varies as much anyhow. How long the recordings are is known at their end only; so the slices
 * become twice as wide, and half as many, whenever time is beyond the last one.
 */
#ifndef SDT_SLICES_H
#define SDT_SLICES_H

#include <stdbool.h>
#include <stdint.h>

enum { SLICES = 64, FIRST_SLICE = 1024 /* ns */ };

/* The time of a side: its recordings, one after the other. */
struct slices {
    int64_t width; /* of a slice, in ns; 0: nothing was there yet */
    int64_t time;  /* so far */
};

/* Whether TIME, ns since the start of all, is in a slice; otherwise they are to be made wider. */
bool slices_have(const struct slices *slices, int64_t time);
void slices_widen(struct slices *slices);
/* The same of the counts in them. */
void slices_join(uint32_t counts[SLICES]);
/* How many slices are complete. */
unsigned slices_count(const struct slices *slices);

#endif
