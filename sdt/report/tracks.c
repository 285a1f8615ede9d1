/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracks.h"

#include "base/memory.h"

#include <stdlib.h>

static struct track *find_place(const struct tracks *tracks, uint64_t id)
{
    size_t i = (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (tracks->capacity - 1);
    while (tracks->list[i].id && tracks->list[i].id != id)
        i = (i + 1) & (tracks->capacity - 1);
    return &tracks->list[i];
}

static void grow(struct tracks *tracks)
{
    struct tracks bigger = {.count = tracks->count,
                            .capacity = tracks->capacity ? 2 * tracks->capacity : 64};
    bigger.list = memory_zeroed(bigger.capacity, sizeof *bigger.list);
    for (size_t i = 0; i < tracks->capacity; i++)
        if (tracks->list[i].id)
            *find_place(&bigger, tracks->list[i].id) = tracks->list[i];
    free(tracks->list);
    *tracks = bigger;
}

struct track *tracks_find(struct tracks *tracks, uint64_t id, bool *is_new)
{
    if (2 * tracks->count >= tracks->capacity)
        grow(tracks);
    struct track *track = find_place(tracks, id);
    *is_new = !track->id;
    if (*is_new)
        track->number = (uint32_t)tracks->count++;
    track->id = id;
    return track;
}

bool track_push(struct track *track, uint64_t event)
{
    if (track->open_count == MAX_SLICES)
        return false;
    track->open = memory_with_room(track->open, track->open_count, &track->open_capacity,
                                   sizeof *track->open);
    track->open[track->open_count++] = event;
    return true;
}

void tracks_free(struct tracks *tracks)
{
    for (size_t i = 0; i < tracks->capacity; i++)
        free(tracks->list[i].open);
    free(tracks->list);
    *tracks = (struct tracks){0};
}
