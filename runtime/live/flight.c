/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See flight.h. What LIVE_START has stored until LIVE_STOP takes it: a hash table of groups, in
 * which a key has at most LIVE_GROUP places, so that removing one leaves no gap to track. Nobody
 * waits: a place that is being changed (BUSY) is skipped. If a group is full, the oldest is
 * dropped: what was started and never stopped does not stay for ever.
 *
 * This file is compiled for general registers only.
 */
#include "flight.h"

#include "tally.h"

static inline uint64_t tag_for(uint64_t hash, uint64_t state)
{
    return (hash & ~(uint64_t)LIVE_STATES) | state;
}

static struct live_flight *group_of(const struct hand *hand, uint64_t hash)
{
    return hand->flights + (hash >> 24 & hand->groups) * LIVE_GROUP;
}

/* Whether FLIGHT, whose tag was FOUND, is now ours to change. */
static bool take(struct live_flight *flight, uint64_t found, uint64_t hash)
{
    return atomic_compare_exchange_strong(&flight->tag, &found, tag_for(hash, LIVE_BUSY));
}

/* The flight of KEY, taken; NULL: there is none. */
static struct live_flight *take_key(struct live_flight *group, uint64_t key, uint64_t hash)
{
    uint64_t tag = tag_for(hash, LIVE_READY);
    for (unsigned i = 0; i < LIVE_GROUP; i++) {
        struct live_flight *flight = &group[i];
        if (atomic_load_explicit(&flight->tag, memory_order_acquire) != tag || flight->key != key ||
            !take(flight, tag, hash))
            continue;
        if (flight->key == key)
            return flight;
        /* Meanwhile it was stopped, and another key started whose hash looks the same. */
        atomic_store_explicit(&flight->tag, tag, memory_order_release);
    }
    return NULL;
}

static struct live_flight *take_free(struct live_flight *group, uint64_t hash)
{
    for (unsigned i = 0; i < LIVE_GROUP; i++)
        if (!atomic_load_explicit(&group[i].tag, memory_order_relaxed) && take(&group[i], 0, hash))
            return &group[i];
    return NULL;
}

static struct live_flight *take_oldest(struct live_flight *group, uint64_t hash)
{
    struct live_flight *oldest = NULL;
    uint64_t tag_of_it = 0;
    for (unsigned i = 0; i < LIVE_GROUP; i++) {
        uint64_t tag = atomic_load_explicit(&group[i].tag, memory_order_acquire);
        if ((tag & LIVE_STATES) == LIVE_READY && (!oldest || group[i].time < oldest->time)) {
            oldest = &group[i];
            tag_of_it = tag;
        }
    }
    return oldest && take(oldest, tag_of_it, hash) ? oldest : NULL;
}

struct live_flight *flight_start(const struct hand *hand, uint64_t key, uint64_t hash)
{
    struct live_flight *group = group_of(hand, hash), *flight = take_key(group, key, hash);
    if (flight)
        tally_missed(&hand->table->restarted);
    else if (!(flight = take_free(group, hash))) {
        tally_missed(&hand->table->evicted);
        flight = take_oldest(group, hash);
    }
    return flight;
}

void flight_put(struct live_flight *flight, uint64_t key, uint64_t hash, uint64_t now, uint64_t row)
{
    flight->key = key;
    flight->time = now;
    flight->row = row;
    atomic_store_explicit(&flight->tag, tag_for(hash, LIVE_READY), memory_order_release);
}

struct live_flight *flight_stop(const struct hand *hand, uint64_t key, uint64_t hash)
{
    struct live_flight *flight = take_key(group_of(hand, hash), key, hash);
    if (!flight)
        tally_missed(&hand->table->unmatched);
    return flight;
}

void flight_release(struct live_flight *flight)
{
    atomic_store_explicit(&flight->tag, 0, memory_order_release);
}
