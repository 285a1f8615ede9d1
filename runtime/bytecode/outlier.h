/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The slowest measurements of a latency, with the arguments of both hits.
 *
 * At the beginning, the duration is not known yet, so the arguments are packed each time (struct
 * live_side, beside the flight). At the end, measurements that are not among the slowest take one
 * comparison, with `slowest` of the table.
 *
 * There are LIVE_SPARE more places than are asked for. No thread waits: a place that is being
 * written is skipped, and the smallest of the others is replaced. So the slowest N are exact while
 * at most LIVE_SPARE threads write one at the same moment, including threads that were killed while
 * writing. Measurements that found no place are counted (`unkept`).
 */
#ifndef SDT_BYTECODE_OUTLIER_H
#define SDT_BYTECODE_OUTLIER_H

#include "run.h"

/* The arguments of a hit; of one that begins, for FLIGHT. The flight is ours. */
void outlier_pack(const struct live_aggregation *aggregation, const struct sdt_event *event,
                  struct live_side *side);
void outlier_copy(struct live_side *to, const struct live_side *from);
static inline struct live_side *outlier_side(const struct table_view *view,
                                             const struct live_flight *flight)
{
    return view->sides + (flight - view->flights);
}

/* Keep what began with FLIGHT and has ended NOW, after NS nanoseconds: more than `slowest`. */
void outlier_keep(const struct live_aggregation *aggregation, const struct sdt_event *event,
                  const struct live_flight *flight, uint64_t ns, uint64_t now);

#endif
