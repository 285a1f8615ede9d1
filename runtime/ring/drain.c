/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See drain.h. A complete packet is written as it is in memory; an incomplete one gets a separate
 * header, made here, so that its rest can be written later as another packet.
 *
 * When the oldest packets are overwritten (flight), this may happen while they are being copied. So
 * they are copied first and checked afterwards: a packet was complete if its successor in the same
 * place has still not been begun.
 */
#define _GNU_SOURCE
#include "drain.h"

#include "process/file.h"

#include "clock.h"
#include "metadata.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEADER = sizeof(struct ring_packet) };

/* Room for a packet, and for the streams after it. */
static size_t room(const struct drain *drain)
{
    return drain->shape.packet + drain->shape.cpus * sizeof *drain->streams;
}

/* Not by malloc: the child of a fork also drains, where malloc may be in any state. */
int drain_begin(struct drain *drain, int directory, struct ring_file *file, size_t size)
{
    *drain = (struct drain){.directory = directory, .file = file};
    memcpy(&drain->shape, file, sizeof drain->shape);
    if (!ring_has_size(&drain->shape, size))
        return -EINVAL;
    drain->stride = ring_stride(&drain->shape);
    drain->packet =
        mmap(NULL, room(drain), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (drain->packet == MAP_FAILED)
        return -ENOMEM;
    drain->streams = (void *)((char *)drain->packet + drain->shape.packet);
    for (uint32_t i = 0; i < drain->shape.cpus; i++)
        drain->streams[i].fd = -1;
    return 0;
}

void drain_end(struct drain *drain)
{
    for (uint32_t i = 0; i < drain->shape.cpus; i++)
        handle_close(&drain->streams[i]);
    munmap(drain->packet, room(drain));
}

/* ---- Files. ---- */

int drain_walk(int fd, uint64_t sequence, uint64_t *at)
{
    struct ring_packet packet;
    off_t size = lseek(fd, 0, SEEK_END);
    for (*at = 0; size >= 0 && *at < (uint64_t)size; *at += packet.size / 8) {
        ssize_t n = pread(fd, &packet, sizeof packet, (off_t)*at);
        if (n < 0)
            return -errno;
        if (n < (ssize_t)sizeof packet)
            return STREAM_TORN;
        if (packet.magic != RING_PACKET_MAGIC || packet.size % 64 != 0 ||
            packet.size / 8 < sizeof packet)
            return STREAM_FOREIGN;
        if (packet.size / 8 > (uint64_t)size - *at || packet.sequence >= sequence)
            return STREAM_TORN;
    }
    return size < 0 ? -errno : STREAM_WHOLE;
}

/*
 * The previous writer of the stream FD may have been killed in the middle of a packet, or after
 * it, before the ring knew (SEQUENCE: the next one). Both are in the ring still: cut them off. What
 * is no packet stays: it is not ours.
 */
static int mend_stream(int fd, uint64_t sequence)
{
    uint64_t at;
    int end = drain_walk(fd, sequence, &at);
    if (end == STREAM_TORN)
        return ftruncate(fd, (off_t)at) == 0 ? 0 : -errno;
    return end < 0 ? end : 0;
}

static int open_stream(struct drain *drain, uint32_t cpu)
{
    char name[32];
    if (handle_is_ours(&drain->streams[cpu]))
        return 0;
    snprintf(name, sizeof name, "cpu%u", cpu);
    struct handle stream = handle_keep(
        openat(drain->directory, name,
               O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644));
    if (stream.fd < 0)
        return -errno;
    int error = mend_stream(stream.fd, ring_of(drain->file, drain->stride, cpu)->sequence);
    if (error)
        handle_close(&stream);
    else
        drain->streams[cpu] = stream;
    return error;
}

/* All of it, or nothing: a disk that is full must not leave a part of a packet. */
static int append(struct drain *drain, uint32_t cpu, const void *data, size_t size)
{
    size_t done = 0;
    int error = open_stream(drain, cpu);
    off_t end = error ? -1 : lseek(drain->streams[cpu].fd, 0, SEEK_END);
    if (!error)
        error = end < 0 ? -errno : file_limit((uint64_t)end + size);
    if (error)
        return error;
    while (done < size) {
        ssize_t n = write(drain->streams[cpu].fd, (const char *)data + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            error = n < 0 ? -errno : -EIO;
            if (done && ftruncate(drain->streams[cpu].fd, end) != 0)
                error = -errno;
            return error;
        }
        done += (size_t)n;
    }
    drain->bytes += size;
    return 0;
}

/* ---- Packets. ---- */

/* What is being drained. */
struct position {
    struct ring *ring;
    uint32_t cpu;
    uint64_t head, tail;
};

static void release(struct position *at, uint64_t tail)
{
    at->tail = tail;
    atomic_store_explicit(&at->ring->tail, tail, memory_order_release);
}

/*
 * So many PACKETS more are in the stream, or lost, up to TAIL. We may be killed at any instruction:
 * it is done with the store of `sequence`, after which settle() does the rest.
 */
static void commit(struct position *at, uint64_t packets, uint64_t tail)
{
    struct ring *ring = at->ring;
    uint64_t sequence = ring->sequence + packets;
    ring->next_tail = tail;
    ring->next_sequence = sequence;
    atomic_signal_fence(memory_order_seq_cst);
    ring->sequence = sequence;
    atomic_signal_fence(memory_order_seq_cst);
    release(at, tail);
    atomic_signal_fence(memory_order_seq_cst);
    ring->next_sequence = 0;
}

/* Where the drainer before us was killed in commit(). */
static void settle(struct position *at)
{
    struct ring *ring = at->ring;
    if (ring->next_sequence && ring->next_sequence == ring->sequence &&
        ring->next_tail > at->tail && ring->next_tail <= at->head)
        release(at, ring->next_tail);
    atomic_signal_fence(memory_order_seq_cst);
    ring->next_sequence = 0;
}

/* Whether nothing is overwritten, now: as in a flight recorder that waits for its snapshot. */
static bool is_kept(const struct drain *drain)
{
    return !drain->shape.is_flight ||
           atomic_load_explicit(&drain->file->wanted, memory_order_acquire);
}

/*
 * Where the next packet is that was not overwritten; those that were leave a gap in the numbers. If
 * none is, a ring has no more in it than there is room for, unless it is damaged.
 */
static void skip_overwritten(const struct drain *drain, struct position *at)
{
    uint64_t packet = drain->shape.packet, room = packet * drain->shape.packets;
    if (at->head < room || at->tail > at->head - room)
        return;
    uint64_t first = (at->head - room) / packet, rest = (at->head - room) % packet;
    if (rest || !is_kept(drain)) /* that one may be going now */
        first++;
    else if (at->tail == at->head - room)
        return;
    commit(at, first - at->tail / packet, first * packet);
}

/* Whether a packet in the place of the one at POSITION had not been begun until now. */
static bool is_still_there(const struct drain *drain, const struct position *at, uint64_t position)
{
    uint64_t room = (uint64_t)drain->shape.packet * drain->shape.packets;
    atomic_thread_fence(memory_order_acquire);
    bool kept = is_kept(drain);
    uint64_t head = atomic_load_explicit(&at->ring->head, memory_order_relaxed);
    return head < position + room || (kept && head == position + room);
}

/*
 * How much had been lost when PACKET was closed, or, of an incomplete one, opened. What has been
 * lost by now may be too much for that one: while we wrote the packets before it, the program may
 * have closed it and others and lost events after those, and none may say less than the one before.
 * A damaged packet, which says more, is not believed.
 */
static uint64_t lost_by_then(const struct ring_packet *packet, const struct ring *ring)
{
    uint64_t now = atomic_load(&ring->lost);
    return packet->lost < now ? packet->lost : now;
}

/*
 * The events of LENGTH bytes in the packet in drain->packet, of which FROM bytes were written
 * already: make a header for the others. Returns how long the new packet is, and has it begin at
 * *START; 0: there are none, or this is no packet.
 */
static size_t make_header(struct drain *drain, struct position *at, size_t from, size_t length,
                          char **start)
{
    struct ring_packet *old = drain->packet, new = *old;
    char *events = drain->packet;
    uint64_t now = old->begin, mask = (UINT64_C(1) << RING_TIME_BITS) - 1;
    size_t place = HEADER, begin = 0, end = 0;
    uint64_t count = 0;
    while (place < length) {
        uint64_t words[2];
        if (length - place < sizeof words)
            break; /* damaged */
        memcpy(words, events + place, sizeof words);
        size_t bytes = ring_bytes(words[1]), size = (bytes + 7) / 8 * 8;
        if (bytes < sizeof words || bytes > length - place)
            break; /* damaged: up to here */
        now += (words[0] - now) & mask;
        if (!begin && place >= from) {
            begin = place;
            new.begin = now;
        }
        count += begin != 0;
        end = place + bytes;
        place += size;
    }
    if (!begin)
        return 0;
    *start = events + begin - HEADER;
    new.magic = RING_PACKET_MAGIC;
    memcpy(new.uuid, drain->shape.uuid, sizeof new.uuid);
    new.stream = 0;
    new.end = now;
    new.content = (end - begin + HEADER) * 8; /* content ends where the last event does */
    new.size = (place - begin + HEADER) * 8;
    new.sequence = at->ring->sequence;
    new.cpu = at->cpu;
    new.zero = 0;
    drain->found = count;
    memcpy(*start, &new, sizeof new);
    return place - begin + HEADER;
}

/* The events from at->tail to END, which is in the same packet. */
static int drain_part(struct drain *drain, struct position *at, uint64_t end)
{
    uint64_t mask = drain->shape.packet - 1, packet = at->tail & ~mask;
    size_t length = end == packet + mask + 1 ? mask + 1 : end & mask, from = at->tail & mask;
    struct ring_packet *copy = drain->packet;
    char *start;
    memcpy(copy, ring_place(&drain->shape, at->ring, packet), length);
    if (drain->shape.is_flight && !is_still_there(drain, at, packet))
        return 0; /* the next pass begins after it */
    bool is_complete = length == mask + 1;
    /*
     * Of a whole packet, is the copy what it was when it was closed? A flight recorder opens a
     * packet in the place of the oldest one. A thread that is interrupted there, and goes on on
     * another CPU, leaves a part of a new header in front of the old events: it begins now, and has
     * no end. Of a ring that is kept for a snapshot, head does not tell.
     */
    if (is_complete && drain->shape.is_flight && copy->end < copy->begin) {
        commit(at, 1, end); /* a gap, as after others that were overwritten */
        return 0;
    }
    if (is_complete) { /* it says itself how long it is */
        uint64_t content = (copy->content + 63) / 64 * 8;
        length = content < length ? content : length;
    }
    copy->lost = lost_by_then(copy, at->ring);
    size_t size = make_header(drain, at, from < HEADER ? HEADER : from, length, &start);
    int error = size ? append(drain, at->cpu, start, size) : 0;
    if (error)
        return error;
    drain->events += size ? drain->found : 0;
    commit(at, size != 0, end);
    return 0;
}

/* Whether PACKET, of CONTENT bits, consists of events up to its end; how many there are. It ends
 * where the last one does, in its last word. */
static bool count_events(struct ring_packet *packet, uint64_t content, uint64_t *count)
{
    const uint64_t *words = (const uint64_t *)(const void *)packet;
    size_t at = HEADER / 8, end = (content + 63) / 64, bytes = HEADER, last = 0;
    for (*count = 0; at < end && bytes >= 16; ++*count) {
        bytes = end - at < 2 ? 0 : ring_bytes(words[at + 1]);
        last = at * 8 + bytes;
        at += (bytes + 7) / 8;
    }
    if (at != end || bytes < 16)
        return false;
    packet->content = *count ? last * 8 : RING_NO_EVENTS;
    return true;
}

/* A packet that is complete and of which nothing was written, as it is. */
static int drain_whole(struct drain *drain, struct position *at)
{
    struct ring_packet *packet = (void *)ring_place(&drain->shape, at->ring, at->tail);
    uint64_t size = drain->shape.packet, count = 0;
    /* Read once: a process may change it while we check. */
    uint64_t content = __atomic_load_n(&packet->content, __ATOMIC_RELAXED);
    if (packet->magic != RING_PACKET_MAGIC || packet->size != size * 8 || content > size * 8 ||
        content < RING_NO_EVENTS || !count_events(packet, content, &count))
        return drain_part(drain, at, at->tail + size); /* damaged */
    packet->sequence = at->ring->sequence;
    packet->lost = lost_by_then(packet, at->ring);
    int error = append(drain, at->cpu, packet, size);
    if (error)
        return error;
    drain->events += count;
    commit(at, 1, at->tail + size);
    return 0;
}

/* Up to where the head is now: a program that fills this ring faster than we write must not keep us
 * from the others. */
static int drain_ring(struct drain *drain, uint32_t cpu, bool also_parts)
{
    struct position at = {.ring = ring_of(drain->file, drain->stride, cpu), .cpu = cpu};
    uint64_t mask = drain->shape.packet - 1;
    int error = 0;
    at.head = atomic_load_explicit(&at.ring->head, memory_order_acquire);
    at.tail = atomic_load_explicit(&at.ring->tail, memory_order_relaxed);
    const uint64_t last = at.head;
    if (last > RING_MAX_HEAD)
        return -EINVAL;
    settle(&at);
    while (!error && at.tail < last) {
        skip_overwritten(drain, &at);
        uint64_t end = (at.tail & ~mask) + mask + 1;
        bool as_it_is = !(at.tail & mask) && !drain->shape.is_flight;
        if (end > last)
            break;
        error = as_it_is ? drain_whole(drain, &at) : drain_part(drain, &at, end);
        at.head = atomic_load_explicit(&at.ring->head, memory_order_acquire);
    }
    if (!error && also_parts && at.tail < last)
        error = drain_part(drain, &at, last);
    return error;
}

static int drain_rings(struct drain *drain, bool also_parts)
{
    int error = 0;
    for (uint32_t cpu = 0; cpu < drain->shape.cpus; cpu++) {
        int one = drain_ring(drain, cpu, also_parts);
        error = error ? error : one;
    }
    return error;
}

int drain_packets(struct drain *drain)
{
    return drain_rings(drain, false);
}

int drain_all(struct drain *drain)
{
    return drain_rings(drain, true);
}

/* ---- The end. ---- */

/* Nothing follows that could say how much was lost last: an empty packet does. */
static int tell_lost(struct drain *drain, uint32_t cpu)
{
    struct ring *ring = ring_of(drain->file, drain->stride, cpu);
    uint64_t lost = atomic_load(&ring->lost);
    if (!lost)
        return 0;
    struct ring_packet packet = {.magic = RING_PACKET_MAGIC,
                                 .begin = ring->last,
                                 .end = ring->last,
                                 .content = RING_NO_EVENTS,
                                 .size = (uint64_t)HEADER * 8,
                                 .sequence = ring->sequence,
                                 .lost = lost,
                                 .cpu = cpu};
    memcpy(packet.uuid, drain->shape.uuid, sizeof packet.uuid);
    int error = append(drain, cpu, &packet, sizeof packet);
    ring->sequence += !error;
    return error;
}

int drain_one(struct drain *drain, uint32_t cpu)
{
    int error = drain_ring(drain, cpu, true);
    return error ? error : tell_lost(drain, cpu);
}

static int set_clock(const struct drain *drain)
{
    char text[8192];
    int fd = openat(drain->directory, "metadata", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof text, 0);
    int error = n < 0 ? -errno : file_limit((uint64_t)n);
    if (!error && n > 0 &&
        metadata_set_clock(text, (size_t)n, &drain->shape, clock_frequency(&drain->shape)) &&
        pwrite(fd, text, (size_t)n, 0) != n)
        error = -EIO;
    if (fd >= 0)
        close(fd);
    return error;
}

int drain_finish(struct drain *drain)
{
    int error = set_clock(drain);
    for (uint32_t cpu = 0; cpu < drain->shape.cpus; cpu++) {
        int one = tell_lost(drain, cpu);
        error = error ? error : one;
    }
    return error;
}

uint64_t drain_lost(const struct drain *drain)
{
    uint64_t lost = 0;
    for (uint32_t cpu = 0; cpu < drain->shape.cpus; cpu++)
        lost += atomic_load(&ring_of(drain->file, drain->stride, cpu)->lost);
    return lost;
}
