/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See in_flight.h. What LIVE_START has stored until LIVE_STOP takes it: a hash table of groups, in
 * which a key has at most LIVE_GROUP places, so that removing one leaves no gap to track. No thread
 * waits: a place that is being changed (BUSY) is skipped. If a group is full, the oldest is
 * dropped: what was started and never stopped does not stay for ever.
 *
 * This file is compiled for general registers only.
 */
#include "in_flight.h"

#include "tally.h"

/* The flight of KEY that this process has started, taken; NULL: there is none. */
static struct live_flight *take_own(struct live_flight *group, uint64_t key, uint64_t own)
{
    uint64_t tag = in_flight_tag(own, LIVE_READY);
    for (unsigned i = 0; i < LIVE_GROUP; i++) {
        struct live_flight *flight = &group[i];
        if (atomic_load_explicit(&flight->tag, memory_order_acquire) != tag || flight->key != key ||
            !in_flight_take(flight, tag, own))
            continue;
        if (flight->key == key)
            return flight;
        /* Meanwhile it was stopped, and another key started whose hash looks the same. */
        atomic_store_explicit(&flight->tag, tag, memory_order_release);
    }
    return NULL;
}

/* The latest one of KEY, whoever has started it. */
static struct live_flight *take_latest(struct live_flight *group, uint64_t key, uint64_t own)
{
    struct live_flight *latest = NULL;
    uint64_t tag_of_it = 0;
    for (unsigned i = 0; i < LIVE_GROUP; i++) {
        uint64_t tag = atomic_load_explicit(&group[i].tag, memory_order_acquire);
        if ((tag & LIVE_STATES) == LIVE_READY && group[i].key == key &&
            (!latest || group[i].time > latest->time)) {
            latest = &group[i];
            tag_of_it = tag;
        }
    }
    if (!latest || !in_flight_take(latest, tag_of_it, own))
        return NULL;
    if (latest->key == key)
        return latest;
    atomic_store_explicit(&latest->tag, tag_of_it, memory_order_release);
    return NULL;
}

static struct live_flight *take_free(struct live_flight *group, uint64_t own)
{
    for (unsigned i = 0; i < LIVE_GROUP; i++)
        if (!atomic_load_explicit(&group[i].tag, memory_order_relaxed) &&
            in_flight_take(&group[i], 0, own))
            return &group[i];
    return NULL;
}

static struct live_flight *take_oldest(struct live_flight *group, uint64_t own)
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
    return oldest && in_flight_take(oldest, tag_of_it, own) ? oldest : NULL;
}

struct live_flight *in_flight_start(const struct table_view *view, uint64_t process, uint64_t key,
                                    uint64_t hash)
{
    uint64_t own = hash ^ process;
    struct live_flight *group = in_flight_group(view, hash), *flight = take_own(group, key, own);
    if (flight)
        tally_missed(&view->table->restarted);
    else if (!(flight = take_free(group, own))) {
        tally_missed(&view->table->evicted);
        flight = take_oldest(group, own);
    }
    return flight;
}

struct live_flight *in_flight_stop(const struct table_view *view, uint64_t process, uint64_t key,
                                   uint64_t hash)
{
    struct live_flight *group = in_flight_group(view, hash);
    struct live_flight *flight = take_own(group, key, hash ^ process);
    if (!flight)
        flight = take_latest(group, key, hash ^ process);
    if (!flight)
        tally_missed(&view->table->unmatched);
    return flight;
}
