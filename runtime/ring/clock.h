/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The clock of recordings: the processor's time-stamp counter if the kernel itself uses it as its
 * clock, else CLOCK_MONOTONIC.
 */
#ifndef SDT_RECORDER_CLOCK_H
#define SDT_RECORDER_CLOCK_H

#include "ring.h"

#include <machine/clock.h>
#include <time.h>

uint64_t clock_monotonic(void); /* ns */

/* Cycles. */
static inline uint64_t clock_read(bool is_tsc)
{
    return is_tsc ? machine_cycles() : clock_monotonic();
}

/* Choose a clock, and measure it: about a millisecond. */
void clock_start(struct ring_file *file);
/*
 * The frequency, measured over the time since the start: more exact than at the start. Only on the
 * machine that records, before it is rebooted.
 */
uint64_t clock_frequency(const struct ring_file *file);
/* Nanoseconds of one cycle of FILE's clock, times 2^32. */
uint64_t clock_period(const struct ring_file *file);
/* Offset such that FREQUENCY takes the first cycle to its moment: seconds, and cycles. */
void clock_offset(const struct ring_file *file, uint64_t frequency, int64_t *seconds,
                  int64_t *cycles);

#endif
