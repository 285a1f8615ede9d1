/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was started and has not been stopped yet, of a latency: found by what matches.
 *
 * KEY is what matches, and HASH its hash. flight_start() finds a place that nobody else touches
 * until flight_put(); flight_stop() takes what was put, until flight_release(). NULL: none, which
 * was counted.
 *
 * A forked child that continues what its parent was asked for uses the same table: PROCESS, a hash
 * of its number, tells what it has started from what others have. It restarts only its own; what it
 * stops is its own, or, if there is none, another's: that of its parent, or of whoever has passed
 * it on.
 */
#ifndef SDT_LIVE_FLIGHT_H
#define SDT_LIVE_FLIGHT_H

#include "compiled.h"

struct live_flight *flight_start(const struct hand *hand, uint64_t process, uint64_t key,
                                 uint64_t hash);
void flight_put(struct live_flight *flight, uint64_t process, uint64_t key, uint64_t hash,
                uint64_t now, uint64_t row);
struct live_flight *flight_stop(const struct hand *hand, uint64_t process, uint64_t key,
                                uint64_t hash);
void flight_release(struct live_flight *flight);

#endif
