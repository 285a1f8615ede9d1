/* SPDX-License-Identifier: BSD-2-Clause */
#include "piecewise.h"

#include "base/reading.h"

#include <string.h>

void source_move(struct source *source, uint64_t start, uint64_t size)
{
    source->start = start;
    source->size = size;
}

static bool is_inside(const struct source *source, uint64_t offset, uint64_t size)
{
    return offset <= source->size && size <= source->size - offset;
}

/* Are SIZE bytes at AT of the file in the window? */
static bool is_seen(const struct source *source, uint64_t at, uint64_t size)
{
    return at >= source->window_at && at + size <= source->window_at + source->window_size;
}

static bool fill(struct source *source, uint64_t from, uint64_t end)
{
    source->window_at = from;
    source->window_size = end - from;
    source->error = reading_all(source->fd, source->window, end - from, from);
    return !source->error;
}

/* Move the window, so that it ends with what is asked for: tables come before their headers. */
static bool see(struct source *source, uint64_t at, uint64_t size)
{
    uint64_t end = at + size;
    if (!source->window || size > SOURCE_STEP)
        return false;
    if (is_seen(source, at, size))
        return true;
    if (end < SOURCE_STEP)
        end = source->file_size < SOURCE_STEP ? source->file_size : SOURCE_STEP;
    return fill(source, end > SOURCE_STEP ? end - SOURCE_STEP : 0, end);
}

void source_expect(struct source *source, uint64_t end)
{
    uint64_t from = source->start;
    if (end > source->file_size)
        end = source->file_size;
    if (end - from > SOURCE_WINDOW)
        from = end - SOURCE_STEP;
    if (!source->error && !is_seen(source, from, end - from))
        fill(source, from, end);
}

bool source_read(struct source *source, uint64_t offset, void *to, size_t size)
{
    if (!is_inside(source, offset, size) || source->error)
        return false;
    if (source->image) {
        memcpy(to, source->image + offset, size);
        return true;
    }
    uint64_t at = source->start + offset;
    if (!see(source, at, size))
        return false;
    memcpy(to, source->window + (at - source->window_at), size);
    return true;
}

const uint8_t *source_piece(struct source *source, uint64_t offset, uint64_t size,
                            struct bytes *room)
{
    if (!is_inside(source, offset, size) || source->error)
        return NULL;
    if (source->image)
        return source->image + offset;
    if (size > room->capacity || !room->data) {
        bytes_free(room);
        room->capacity = size + size / 2;
        room->data = memory_resize(NULL, room->capacity, 1);
    }
    uint64_t at = source->start + offset;
    if (is_seen(source, at, size))
        memcpy(room->data, source->window + (at - source->window_at), size);
    else
        source->error = reading_all(source->fd, room->data, size, at);
    return source->error ? NULL : room->data;
}
