/* SPDX-License-Identifier: BSD-2-Clause */
#include "pieces.h"

#include "base/reading.h"

#include <string.h>

void pieces_move(struct pieces *pieces, uint64_t start, uint64_t size)
{
    pieces->start = start;
    pieces->size = size;
}

static bool is_inside(const struct pieces *pieces, uint64_t offset, uint64_t size)
{
    return offset <= pieces->size && size <= pieces->size - offset;
}

/* Are SIZE bytes at AT of the file in the window? */
static bool is_seen(const struct pieces *pieces, uint64_t at, uint64_t size)
{
    return at >= pieces->window_at && at + size <= pieces->window_at + pieces->window_size;
}

static bool fill(struct pieces *pieces, uint64_t from, uint64_t end)
{
    pieces->window_at = from;
    pieces->window_size = end - from;
    pieces->error = reading_all(pieces->fd, pieces->window, end - from, from);
    return !pieces->error;
}

/* Move the window, so that it ends with what is asked for: tables come before their headers. */
static bool see(struct pieces *pieces, uint64_t at, uint64_t size)
{
    uint64_t end = at + size;
    if (!pieces->window || size > PIECES_STEP)
        return false;
    if (is_seen(pieces, at, size))
        return true;
    if (end < PIECES_STEP)
        end = pieces->file_size < PIECES_STEP ? pieces->file_size : PIECES_STEP;
    return fill(pieces, end > PIECES_STEP ? end - PIECES_STEP : 0, end);
}

void pieces_expect(struct pieces *pieces, uint64_t end)
{
    uint64_t from = pieces->start;
    if (end > pieces->file_size)
        end = pieces->file_size;
    if (end - from > PIECES_WINDOW)
        from = end - PIECES_STEP;
    if (!pieces->error && !is_seen(pieces, from, end - from))
        fill(pieces, from, end);
}

bool pieces_read(struct pieces *pieces, uint64_t offset, void *to, size_t size)
{
    if (!is_inside(pieces, offset, size) || pieces->error)
        return false;
    if (pieces->image) {
        memcpy(to, pieces->image + offset, size);
        return true;
    }
    uint64_t at = pieces->start + offset;
    if (!see(pieces, at, size))
        return false;
    memcpy(to, pieces->window + (at - pieces->window_at), size);
    return true;
}

const uint8_t *pieces_get(struct pieces *pieces, uint64_t offset, uint64_t size, struct bytes *room)
{
    if (!is_inside(pieces, offset, size) || pieces->error)
        return NULL;
    if (pieces->image)
        return pieces->image + offset;
    if (size > room->capacity || !room->data) {
        bytes_free(room);
        room->capacity = size + size / 2;
        room->data = memory_resize(NULL, room->capacity, 1);
    }
    uint64_t at = pieces->start + offset;
    if (is_seen(pieces, at, size))
        memcpy(room->data, pieces->window + (at - pieces->window_at), size);
    else
        pieces->error = reading_all(pieces->fd, room->data, size, at);
    return pieces->error ? NULL : room->data;
}
