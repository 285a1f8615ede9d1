/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was started and has not been stopped yet, of a latency: found by what matches.
 *
 * KEY is what matches, and HASH its hash. in_flight_start() finds a place that no other thread
 * touches until in_flight_put(); in_flight_stop() takes what was put, until in_flight_release().
 * NULL: none, which was counted.
 *
 * A forked child that continues what its parent was asked for uses the same table: PROCESS, a hash
 * of its number, tells what it has started from what others have. It restarts only its own; what it
 * stops is its own, or, if there is none, another's: that of its parent, or of whoever has passed
 * it on.
 */
#ifndef SDT_BYTECODE_IN_FLIGHT_H
#define SDT_BYTECODE_IN_FLIGHT_H

#include "compiled.h"

struct live_flight *in_flight_start(const struct table_view *view, uint64_t process, uint64_t key,
                                    uint64_t hash);
void in_flight_put(struct live_flight *flight, uint64_t process, uint64_t key, uint64_t hash,
                   uint64_t now, uint64_t row);
struct live_flight *in_flight_stop(const struct table_view *view, uint64_t process, uint64_t key,
                                   uint64_t hash);
void in_flight_release(struct live_flight *flight);

#endif
