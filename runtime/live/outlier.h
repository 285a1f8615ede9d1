/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The slowest of what a latency measures, with the arguments that its two hits had.
 *
 * Where it begins, nobody knows yet how long it will take; so the arguments are packed there each
 * time (struct live_side, beside the flight). Where it ends, those that are not among the slowest
 * take one comparison, with `slowest` of the table.
 *
 * There are LIVE_SPARE more places than are asked for. Nobody waits: a place that somebody writes
 * is passed over, and the least of the others is given up. So the slowest N are exactly those as
 * long as no more than LIVE_SPARE threads write one at the same moment, threads that were killed
 * while they did included. What found no place at all is counted (`unkept`).
 */
#ifndef SDT_LIVE_OUTLIER_H
#define SDT_LIVE_OUTLIER_H

#include "run.h"

/* The arguments of a hit; of one that begins, for FLIGHT. The flight is ours. */
void outlier_pack(const struct live_aggregation *aggregation, const struct run *run,
                  struct live_side *side);
static inline struct live_side *outlier_side(const struct hand *hand,
                                             const struct live_flight *flight)
{
    return hand->sides + (flight - hand->flights);
}

/* What began with FLIGHT, and has taken NS nanoseconds NOW, is more than `slowest` says. */
void outlier_keep(const struct live_aggregation *aggregation, const struct run *run,
                  const struct live_flight *flight, uint64_t ns, uint64_t now);

#endif
