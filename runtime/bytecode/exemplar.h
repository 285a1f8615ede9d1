/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exemplars: hits that stand for the values that they are among, with the ids of the trace that
 * their thread worked for. Of a key and a range of values (a power of two, or a linear bucket) the
 * largest is kept, until it is older than the period of the table: then the next hit replaces it.
 *
 * Each key and range has one place, which it may share with others; a place that is in use is only
 * given to another range after the period. So a hit that is offered takes one comparison nearly
 * always, and what it writes is bounded. No thread waits: a place that is being written is left.
 */
#ifndef SDT_BYTECODE_EXEMPLAR_H
#define SDT_BYTECODE_EXEMPLAR_H

#include "run.h"

/* A hit, whose VALUE was added to ROW; of a latency, BEGIN is where it began. */
void exemplar_offer(const struct live_aggregation *aggregation, const struct sdt_event *event,
                    const struct live_side *begin, uint64_t row, uint64_t value, uint64_t now);

#endif
