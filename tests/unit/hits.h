/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ring in memory, and hits that record into it one step at a time. A commit is what ring_commit()
 * promises: compare the head and store, all or nothing.
 */
#ifndef UNIT_HITS_H
#define UNIT_HITS_H

#include "check.h"

#include <ring/ring.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = sizeof(struct ring_packet), CPU = 3 };

static struct ring_file file;

static struct ring *make(uint32_t packet, uint32_t packets, uint32_t is_flight)
{
    file = (struct ring_file){.magic = RING_MAGIC, .version = 1, .cpus = 1, .packet = packet};
    file.packets = packets;
    file.is_flight = is_flight;
    memset(file.uuid, 0xab, sizeof file.uuid);
    return calloc(1, ring_stride(&file));
}

static bool commit(struct ring *ring, const struct ring_write *write)
{
    if (atomic_load(&ring->head) != write->head)
        return false;
    memcpy(write->to, write->from, write->words * 8);
    ring->last = write->last;
    atomic_store(&ring->head, write->next);
    return true;
}

enum ring_step { RING_APPEND, RING_TURN, RING_FULL };

/* What a hit plans at NOW, of an event of WORDS words. */
static enum ring_step plan(struct ring *ring, uint64_t now, uint64_t *event, size_t words,
                           struct ring_packet *packet, struct ring_write *write)
{
    write->head = atomic_load(&ring->head);
    write->last = now < ring->last ? ring->last : now;
    event[0] = ring_first_word(write->last, 7);
    event[1] = ring_second_word(11, 12, words * 8);
    write->next = write->head + words * 8;
    write->to = ring_place(&file, ring, write->head);
    write->from = event;
    write->words = words;
    if (!ring_is_far(ring->last, write->last) && ring_has_room(&file, write->head, write->next))
        return RING_APPEND;
    return ring_turn(&file, ring, CPU, write->last, packet, write) ? RING_TURN : RING_FULL;
}

/* A hit; how many packets it opened and closed, or -1: it was lost. */
static int hit(struct ring *ring, uint64_t now, size_t words)
{
    uint64_t event[600] = {0};
    struct ring_packet packet;
    struct ring_write write;
    for (int turns = 0;; turns++) {
        enum ring_step step = plan(ring, now, event, words, &packet, &write);
        if (step == RING_FULL)
            return -1;
        CHECK(commit(ring, &write));
        if (step == RING_APPEND)
            return turns;
    }
}

#endif
