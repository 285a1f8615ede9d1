/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a stream says was lost, when a program goes on recording while its rings are being written:
 * here in the middle of write(2), which this file wraps (tests/unit/CMakeLists.txt).
 */
#include "check.h"
#include "hits.h"

#include <ring/drain.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PACKET = 4096, PACKETS = 4, EVENT = (PACKET - HEADER - 8) / 8 }; /* one fills a packet */

static void (*while_writing)(void);
static struct ring *ring;

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    void (*meanwhile)(void) = while_writing;
    while_writing = NULL;
    if (meanwhile)
        meanwhile();
    return __real_write(fd, data, size);
}

/* What a hit does that finds no room. */
static void record(uint64_t now, size_t words)
{
    if (hit(ring, now, words) < 0)
        atomic_fetch_add(&ring->lost, 1);
}

/* A ring, whose stream is a file in memory. */
static void begin(struct drain *drain)
{
    free(make(PACKET, PACKETS, 0));
    struct ring_file *whole = calloc(1, ring_size(&file));
    *whole = file;
    ring = ring_of(whole, ring_stride(whole), 0);
    CHECK(drain_begin(drain, -1, whole, ring_size(whole)) == 0);
    drain->streams[0] = handle_keep(memfd_create("stream", 0));
    CHECK(drain->streams[0].fd >= 0);
}

static void end(struct drain *drain)
{
    struct ring_file *whole = drain->file;
    drain_end(drain);
    free(whole);
}

/* The `lost` of each packet of the stream, in order; how many there are. */
static int read_losses(const struct drain *drain, uint64_t *losses, int most)
{
    struct ring_packet packet;
    off_t at = 0;
    int count = 0;
    for (; count < most && pread(drain->streams[0].fd, &packet, sizeof packet, at) > 0; count++) {
        CHECK(packet.magic == RING_PACKET_MAGIC && packet.sequence == (uint64_t)count);
        losses[count] = packet.lost;
        at += (off_t)(packet.size / 8);
    }
    return count;
}

static void fill_and_lose(void)
{
    for (int i = 0; i < PACKETS + 3; i++)
        record(10, EVENT);
}

/*
 * The second packet is incomplete when the writing begins, and the first one is being written when
 * the program fills the ring and loses events. What it lost came after all that is in the ring.
 */
static void check_losses_after_what_is_in_the_ring(void)
{
    struct drain drain;
    uint64_t losses[8];
    begin(&drain);
    record(1, EVENT);
    record(2, 3);
    while_writing = fill_and_lose;
    CHECK(drain_all(&drain) == 0);
    CHECK(atomic_load(&ring->lost) == 5); /* 7 hits, of which 2 had room: none in the first place */
    CHECK(read_losses(&drain, losses, 8) == 2 && losses[0] == 0 && losses[1] == 0);
    CHECK(drain_all(&drain) == 0);
    CHECK(read_losses(&drain, losses, 8) == 4 && losses[2] == 0 && losses[3] == 0);
    record(20, 3); /* there is room again */
    CHECK(drain_all(&drain) == 0);
    CHECK(read_losses(&drain, losses, 8) == 5 && losses[4] == 5);
    end(&drain);
}

/*
 * A hit that gives up in the middle of a packet, when others were faster too often, is lost then:
 * the packet says so when it is closed.
 */
static void check_loss_inside_a_packet(void)
{
    struct drain drain;
    uint64_t losses[8];
    begin(&drain);
    record(1, 3);
    atomic_fetch_add(&ring->lost, 1);
    CHECK(drain_all(&drain) == 0);
    record(2, 3);
    record(3, EVENT);
    CHECK(drain_all(&drain) == 0);
    CHECK(read_losses(&drain, losses, 8) == 3 && losses[0] == 0 && losses[1] == 1);
    CHECK(losses[2] == 1);
    end(&drain);
}

/* The tool does not believe a damaged packet that says that more was lost than was. */
static void check_damaged(void)
{
    struct drain drain;
    uint64_t losses[8];
    begin(&drain);
    record(1, EVENT);
    record(2, EVENT);
    record(3, 3);
    struct ring_packet *packet = (void *)ring_place(&file, ring, 0);
    packet->lost = UINT64_MAX;
    CHECK(drain_all(&drain) == 0);
    CHECK(read_losses(&drain, losses, 8) == 3 && !losses[0] && !losses[1] && !losses[2]);
    end(&drain);
}

int main(void)
{
    check_losses_after_what_is_in_the_ring();
    check_loss_inside_a_packet();
    check_damaged();
    return check_failures != 0;
}
