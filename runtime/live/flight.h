/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was started and has not been stopped yet, of a latency: found by what matches.
 *
 * KEY is what matches, and HASH its hash. flight_start() finds a place that nobody else touches
 * until flight_put(); flight_stop() takes what was put, until flight_release(). NULL: none, which
 * was counted.
 */
#ifndef SDT_LIVE_FLIGHT_H
#define SDT_LIVE_FLIGHT_H

#include "compiled.h"

struct live_flight *flight_start(const struct hand *hand, uint64_t key, uint64_t hash);
void flight_put(struct live_flight *flight, uint64_t key, uint64_t hash, uint64_t now,
                uint64_t row);
struct live_flight *flight_stop(const struct hand *hand, uint64_t key, uint64_t hash);
void flight_release(struct live_flight *flight);

#endif
