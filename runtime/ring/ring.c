/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See ring.h: what happens where one packet ends and the next one begins.
 */
#include "ring.h"

#include <string.h>

_Static_assert(offsetof(struct ring, tail) == 64 && offsetof(struct ring, data) == RING_PAGE,
               "lines");

size_t ring_stride(const struct ring_file *file)
{
    return RING_PAGE + (size_t)file->packet * file->packets;
}

size_t ring_size(const struct ring_file *file)
{
    return RING_PAGE + file->cpus * ring_stride(file);
}

static bool are_heads_valid(const struct ring_file *file, const struct ring_file *shape)
{
    size_t stride = ring_stride(shape);
    for (uint32_t i = 0; i < shape->cpus; i++)
        if (atomic_load(&ring_of(file, stride, i)->head) > RING_MAX_HEAD)
            return false;
    return true;
}

bool ring_has_size(const struct ring_file *file, size_t size)
{
    return file->magic == RING_MAGIC && file->version == 1 && file->cpus &&
           file->cpus <= RING_MAX_CPUS && ring_is_power_of_two(file->packet) &&
           file->packet >= RING_LEAST_PACKET && file->packet <= RING_MAX_PACKET &&
           ring_is_power_of_two(file->packets) && file->packets >= 2 && file->packets <= 1u << 20 &&
           ring_size(file) == size;
}

bool ring_is_valid(const struct ring_file *file, size_t size)
{
    struct ring_file shape;
    if (size < RING_PAGE)
        return false;
    /* What tells the size, once, as others may change it. Not more: this file must not call
     * memcpy(), which compilers do for many bytes. */
    memcpy(&shape, file, offsetof(struct ring_file, is_flight));
    return ring_has_size(&shape, size) && are_heads_valid(file, &shape);
}

static void fill(const struct ring_file *file, struct ring *ring, struct ring_packet *packet)
{
    packet->size = (uint64_t)file->packet * 8;
    packet->lost = atomic_load_explicit(&ring->lost, memory_order_relaxed);
}

/* Head is where a packet begins. */
static bool open_packet(const struct ring_file *file, struct ring *ring, uint32_t cpu, uint64_t now,
                        struct ring_packet *packet, struct ring_write *write)
{
    uint64_t number = write->head / file->packet;
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire) / file->packet;
    bool is_kept = !file->is_flight || atomic_load_explicit(&file->wanted, memory_order_relaxed);
    if (is_kept && number - tail >= file->packets)
        return false;
    /* Member by member: memset() of the C library uses vector registers, the program's own here. */
    packet->magic = RING_PACKET_MAGIC;
    memcpy(packet->uuid, file->uuid, sizeof packet->uuid);
    packet->stream = 0;
    packet->begin = now;
    packet->end = 0;
    packet->content = 0;
    packet->sequence = number;
    packet->cpu = cpu;
    packet->zero = 0;
    fill(file, ring, packet);
    write->to = ring_place(file, ring, write->head);
    write->from = (const uint64_t *)(const void *)packet;
    write->words = sizeof *packet / 8;
    write->next = write->head + sizeof *packet;
    return true;
}

/* What changes when a packet is closed: from `end` to `lost`. */
static bool close_packet(const struct ring_file *file, struct ring *ring, uint64_t now,
                         struct ring_packet *packet, struct ring_write *write)
{
    size_t first = offsetof(struct ring_packet, end), end = offsetof(struct ring_packet, cpu);
    uint64_t begin = write->head & ~(uint64_t)(file->packet - 1);
    packet->end = now;
    packet->content = (write->head - begin) * 8;
    packet->sequence = begin / file->packet;
    fill(file, ring, packet);
    write->to = ring_place(file, ring, begin) + first / 8;
    write->from = (const uint64_t *)(const void *)((const char *)packet + first);
    write->words = (end - first) / 8;
    write->next = begin + file->packet;
    return true;
}

bool ring_turn(const struct ring_file *file, struct ring *ring, uint32_t cpu, uint64_t now,
               struct ring_packet *packet, struct ring_write *write)
{
    if (write->head & (file->packet - 1)) /* also if the event would be far from the last one */
        return close_packet(file, ring, now, packet, write);
    return open_packet(file, ring, cpu, now, packet, write);
}
