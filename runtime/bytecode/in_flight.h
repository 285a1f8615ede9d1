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
struct live_flight *in_flight_stop(const struct table_view *view, uint64_t process, uint64_t key,
                                   uint64_t hash);

/* OWN is the hash of the key and the process. */
static inline uint64_t in_flight_tag(uint64_t own, uint64_t state)
{
    return (own & ~(uint64_t)LIVE_STATES) | state;
}

static inline struct live_flight *in_flight_group(const struct table_view *view, uint64_t hash)
{
    return view->flights + (hash >> 24 & view->groups) * LIVE_GROUP;
}

/* Whether FLIGHT, whose tag was FOUND, is now ours to change. */
static inline bool in_flight_take(struct live_flight *flight, uint64_t found, uint64_t own)
{
    return atomic_compare_exchange_strong(&flight->tag, &found, in_flight_tag(own, LIVE_BUSY));
}

/* The first of GROUP whose tag is TAG; NULL: there is none. Unrolled, three instructions each. */
static inline struct live_flight *in_flight_find(struct live_flight *group, uint64_t tag)
{
#pragma GCC unroll 8
    for (unsigned i = 0; i < LIVE_GROUP; i++)
        if (atomic_load_explicit(&group[i].tag, memory_order_acquire) == tag)
            return &group[i];
    return NULL;
}

static inline bool in_flight_is_empty(struct live_flight *group)
{
    uint64_t tags = 0;
#pragma GCC unroll 8
    for (unsigned i = 0; i < LIVE_GROUP; i++)
        tags |= atomic_load_explicit(&group[i].tag, memory_order_relaxed);
    return tags == 0;
}

/* The same as the functions above, in line, of what is nearly always so: the place of what is
 * started is in an empty group; what is stopped was started by this process. */
static inline struct live_flight *in_flight_start_quickly(const struct table_view *view,
                                                          uint64_t process, uint64_t key,
                                                          uint64_t hash)
{
    uint64_t own = hash ^ process;
    struct live_flight *group = in_flight_group(view, hash);
    if (__builtin_expect(in_flight_is_empty(group) && in_flight_take(group, 0, own), 1))
        return group;
    return in_flight_start(view, process, key, hash);
}

static inline struct live_flight *
in_flight_stop_quickly(const struct table_view *view, uint64_t process, uint64_t key, uint64_t hash)
{
    uint64_t own = hash ^ process, tag = in_flight_tag(own, LIVE_READY);
    struct live_flight *flight = in_flight_find(in_flight_group(view, hash), tag);
    if (__builtin_expect(flight && flight->key == key && in_flight_take(flight, tag, own), 1)) {
        if (__builtin_expect(flight->key == key, 1))
            return flight;
        atomic_store_explicit(&flight->tag, tag, memory_order_release); /* as take_own() says */
    }
    return in_flight_stop(view, process, key, hash);
}

static inline void in_flight_put(struct live_flight *flight, uint64_t process, uint64_t key,
                                 uint64_t hash, uint64_t now, uint64_t row)
{
    flight->key = key;
    flight->time = now;
    flight->row = row;
    atomic_store_explicit(&flight->tag, in_flight_tag(hash ^ process, LIVE_READY),
                          memory_order_release);
}

static inline void in_flight_release(struct live_flight *flight)
{
    atomic_store_explicit(&flight->tag, 0, memory_order_release);
}

#endif
