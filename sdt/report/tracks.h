/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lines of a viewer: processes, threads, CPUs, counters. A hash table, since a recording may
 * have a thread for each request; a thread's entry lists what has begun in it and has not ended.
 */
#ifndef SDT_TRACKS_H
#define SDT_TRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum track_kind {
    TRACK_PROCESS = 1,
    TRACK_THREAD,
    TRACK_CPUS,
    TRACK_CPU,
    TRACK_COUNTER,
    TRACK_ASYNC,
    TRACK_REQUEST
};

/* The limit of slices inside each other in a thread. */
enum { MAX_SLICES = 256 };

struct track {
    uint64_t id;     /* 0: a free place */
    uint32_t number; /* 0 for the first track, and so on */
    uint64_t *open;  /* the events that have begun slices */
    size_t open_count, open_capacity;
};

struct tracks {
    struct track *list;
    size_t count, capacity; /* a power of 2 */
};

/* Bits of a track's number below those that say its kind. */
enum { TRACK_KIND_SHIFT = 60, TRACK_PROCESS_SHIFT = 28 };

/* The number of a track: a PROCESS and something in it, of which there are fewer than 2^28. */
static inline uint64_t track_id(enum track_kind kind, uint32_t process, uint32_t index)
{
    return (uint64_t)kind << TRACK_KIND_SHIFT | (uint64_t)process << TRACK_PROCESS_SHIFT | index;
}

/* The track with that ID, made if it is new. Valid until the next call. */
struct track *tracks_find(struct tracks *tracks, uint64_t id, bool *is_new);
/* Event number EVENT begins a slice; false: too deep. */
bool track_push(struct track *track, uint64_t event);
void tracks_free(struct tracks *tracks);

#endif
