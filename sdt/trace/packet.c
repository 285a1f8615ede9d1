/* SPDX-License-Identifier: BSD-2-Clause */
#include "packet.h"

#include "base/diag.h"
#include "trace.h"

#include <fcntl.h>
#include <ring/ring.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER = sizeof(struct ring_packet), EVENT_HEADER = 16, MAX_WARNINGS = 8 };
static const uint64_t time_bits = (UINT64_C(1) << RING_TIME_BITS) - 1;
static const uint64_t process_bits = (UINT64_C(1) << RING_PROCESS_BITS) - 1;

/* Nothing in a file is aligned for certain. */
static struct ring_packet load_header(const uint8_t *from)
{
    struct ring_packet header;
    memcpy(&header, from, sizeof header);
    return header;
}

static uint64_t load64(const uint8_t *from)
{
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

int stream_open(struct stream *stream, struct recording *recording, const struct trace *trace,
                const char *name)
{
    struct stat status;
    *stream = (struct stream){.recording = recording, .trace = trace};
    stream->path = memory_format("%s/%s", trace->path, name);
    int result = 0, fd = open(stream->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &status) != 0)
        result = diag_errno("cannot read %s", stream->path);
    else if (!S_ISREG(status.st_mode))
        result = diag_error("%s: not a regular file", stream->path);
    else if (status.st_size > 0) {
        void *data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data == MAP_FAILED)
            result = diag_errno("cannot map %s", stream->path);
        else {
            size_t size = (size_t)status.st_size;
            stream->file = (struct stream_part){data, size, size};
            stream_rewind(stream);
        }
    }
    if (fd >= 0)
        close(fd);
    if (result != 0)
        stream_close(stream);
    return result;
}

static void unmap(struct stream_part *part)
{
    if (part->data)
        munmap((void *)(uintptr_t)part->data, part->size);
    *part = (struct stream_part){0};
}

void stream_close(struct stream *stream)
{
    unmap(&stream->file);
    unmap(&stream->rest);
    free(stream->path);
    stream->data = NULL;
    stream->path = NULL;
}

void stream_cut(struct stream *stream, size_t size)
{
    if (size < stream->file.used)
        stream->file.used = size;
    stream_rewind(stream);
}

void stream_go_on(struct stream *stream, const void *data, size_t size)
{
    stream->rest = (struct stream_part){data, size, size};
    stream_rewind(stream);
}

void stream_rewind(struct stream *stream)
{
    *stream = (struct stream){
        .recording = stream->recording,
        .trace = stream->trace,
        .path = stream->path,
        .data = stream->file.data,
        .size = stream->file.used,
        .file = stream->file,
        .rest = stream->rest,
        .is_repeated = stream->number > 0,
    };
}

void stream_damaged(struct stream *stream, size_t offset, const char *problem)
{
    stream->recording->is_damaged = true;
    if (stream->has_warned)
        return;
    stream->has_warned = true;
    if (++stream->damaged > MAX_WARNINGS || stream->is_repeated)
        return;
    char *text = memory_format("packet %llu, offset 0x%zx: %s",
                               (unsigned long long)(stream->number ? stream->number - 1 : 0),
                               offset, problem);
    diag_warn(&(struct diag_place){.file = stream->path}, text, NULL);
    free(text);
}

void stream_finish(struct stream *stream)
{
    if (stream->damaged <= MAX_WARNINGS || stream->is_repeated)
        return;
    char *text = memory_format("%llu more packets are damaged",
                               (unsigned long long)(stream->damaged - MAX_WARNINGS));
    diag_warn(&(struct diag_place){.file = stream->path}, text, NULL);
    free(text);
}

/* Is there a header at OFFSET that makes sense? Where the packet ends does not matter here. */
static bool is_header(const struct stream *stream, size_t offset)
{
    if (stream->size - offset < HEADER)
        return false;
    const struct ring_packet header = load_header(stream->data + offset);
    if (header.magic != RING_PACKET_MAGIC || header.stream != 0)
        return false;
    return header.content % 8 == 0 && header.size % 64 == 0 && header.content >= RING_NO_EVENTS &&
           header.content <= header.size;
}

/* Where the next packet begins, at OFFSET or, if that is damaged, at some multiple of 8 later. */
static size_t find_packet(struct stream *stream, size_t offset)
{
    if (is_header(stream, offset))
        return offset;
    stream->number++;
    stream->has_warned = false;
    stream_damaged(stream, offset,
                   stream->size - offset < HEADER ? "the packet is cut off"
                                                  : "the packet's header is damaged");
    for (offset += 8; offset < stream->size && stream->size - offset >= HEADER; offset += 8)
        if (is_header(stream, offset))
            return offset;
    return stream->size;
}

/* At the end of the file. False: there is no more. */
static bool go_to_rest(struct stream *stream)
{
    if (!stream->rest.data || stream->data == stream->rest.data)
        return false;
    stream->data = stream->rest.data;
    stream->size = stream->rest.used;
    stream->packet_end = stream->at = stream->end = 0;
    return true;
}

static bool next_packet(struct stream *stream)
{
    if (stream->packet_end >= stream->size && !go_to_rest(stream))
        return false;
    size_t offset = find_packet(stream, stream->packet_end), left = stream->size - offset;
    if (!left) {
        stream->packet_end = stream->size;
        return false;
    }
    const struct ring_packet header = load_header(stream->data + offset);
    /* Some writers do not count the zeros after the last event's fields. */
    uint64_t content = (header.content / 8 + 7) & ~UINT64_C(7), packet = header.size / 8;
    stream->packet = offset;
    stream->number++;
    stream->has_warned = false;
    stream->packet_end = packet < left ? offset + packet : stream->size;
    stream->at = offset + HEADER;
    stream->end = content < left ? offset + content : stream->size;
    if (packet > left)
        stream_damaged(stream, stream->size, "the packet is cut off");
    stream->timestamp = header.begin;
    stream->latest = header.end;
    if (header.sequence > stream->sequence)
        stream->missing += header.sequence - stream->sequence;
    stream->sequence = header.sequence + 1;
    if (header.lost > stream->discarded)
        stream->discarded = header.lost;
    stream->ring = header.cpu;
    return true;
}

/*
 * A timestamp's low bits that are smaller than those before mean that the higher ones have
 * counted on, after weeks. If that is after the end of the packet, it is the order that is wrong:
 * the event counts as simultaneous with the one before.
 */
static uint64_t extend(struct stream *stream, uint64_t low)
{
    uint64_t timestamp = (stream->timestamp & ~time_bits) | low;
    if (timestamp >= stream->timestamp)
        return timestamp;
    if (!__builtin_add_overflow(timestamp, time_bits + 1, &timestamp) &&
        timestamp <= stream->latest)
        return timestamp;
    stream_damaged(stream, stream->at, "an event is earlier than the one before");
    return stream->timestamp;
}

/* The length of the event at stream->at; 0: there is none that could be right. */
static size_t event_length(const struct stream *stream)
{
    size_t left = stream->end - stream->at;
    if (left < EVENT_HEADER)
        return 0;
    size_t length = ring_bytes(load64(stream->data + stream->at + 8));
    return length < EVENT_HEADER || length > left ? 0 : length;
}

/* Go to the next event; returns its length, 0 at the end of the stream. */
static size_t find_event(struct stream *stream)
{
    for (;;) {
        while (stream->at >= stream->end)
            if (!next_packet(stream))
                return 0;
        size_t length = event_length(stream);
        if (length)
            return length;
        stream_damaged(stream, stream->at, "an event has an impossible length");
        stream->at = stream->end;
    }
}

bool stream_next(struct stream *stream, struct raw_event *event)
{
    size_t length = find_event(stream);
    if (!length)
        return false;
    const uint8_t *from = stream->data + stream->at;
    uint64_t first = load64(from), word = load64(from + 8);
    stream->timestamp = extend(stream, first & time_bits);
    *event = (struct raw_event){
        .timestamp = stream->timestamp,
        .id = (uint32_t)(first >> RING_TIME_BITS),
        .ring = stream->ring,
        .pid = (uint32_t)(word & process_bits),
        .tid = (uint32_t)(word >> 32 & process_bits),
        .payload = from + EVENT_HEADER,
        .size = length - EVENT_HEADER,
        .offset = stream->at,
    };
    if (!stream->events)
        stream->earliest = stream->timestamp;
    stream->at += (length + 7) / 8 * 8;
    stream->events++;
    return true;
}
