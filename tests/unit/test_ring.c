/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rings of a recording: opening, appending, closing, exact fit, wrapping, full, flight, time;
 * and two writers and a reader in every order of their steps.
 */
#include "check.h"
#include "hits.h"

static const struct ring_packet *packet_at(struct ring *ring, uint64_t position)
{
    return (const void *)ring_place(&file, ring, position);
}

static void check_packet(const struct ring_packet *packet, uint64_t sequence, uint64_t begin)
{
    CHECK(packet->magic == RING_PACKET_MAGIC && packet->stream == 0 && packet->zero == 0);
    CHECK(!memcmp(packet->uuid, file.uuid, sizeof file.uuid));
    CHECK(packet->sequence == sequence && packet->cpu == CPU);
    CHECK(packet->size == file.packet * UINT64_C(8) && packet->begin == begin);
}

static void check_open_append_close(void)
{
    struct ring *ring = make(4096, 4, 0);
    CHECK(hit(ring, 100, 3) == 1); /* opened */
    CHECK(ring->head == HEADER + 24 && ring->last == 100);
    check_packet(packet_at(ring, 0), 0, 100);
    CHECK(ring->data[HEADER / 8] == (100 | UINT64_C(7) << 44));
    CHECK(hit(ring, 99, 3) == 0); /* time does not go back */
    CHECK(ring->last == 100 && ring->data[HEADER / 8 + 3] == (100 | UINT64_C(7) << 44));

    /* Of the packet's last word nothing is used: events may be cleared one word too far. */
    size_t left = (4096 - HEADER - 48 - 8) / 8;
    struct ring copy = *ring;
    CHECK(hit(ring, 200, left) == 0 && ring->head == 4096 - 8);
    ring->head = copy.head;
    ring->last = copy.last;
    atomic_store(&ring->lost, 5);
    CHECK(hit(ring, 300, left + 1) == 2); /* closed and opened */
    CHECK(ring->head == 4096 + HEADER + (left + 1) * 8);
    CHECK(packet_at(ring, 0)->end == 300 && packet_at(ring, 0)->lost == 5);
    CHECK(packet_at(ring, 0)->content == (HEADER + 48) * 8);
    check_packet(packet_at(ring, 0), 0, 100);
    check_packet(packet_at(ring, 4096), 1, 300);
    free(ring);
}

static void check_full_and_wrap(void)
{
    struct ring *ring = make(4096, 2, 0);
    const size_t words = (4096 - HEADER - 8) / 8; /* one event fills a packet */
    CHECK(hit(ring, 1, words) == 1 && hit(ring, 2, words) == 2);
    CHECK(hit(ring, 3, words) == -1 && hit(ring, 4, 2) == -1);
    CHECK(ring->head == 2 * 4096); /* closed all the same: who reads can have it */
    atomic_store(&ring->tail, 4096 - 8);
    CHECK(hit(ring, 5, 2) == -1); /* a part of a packet that was read makes no room */
    atomic_store(&ring->tail, 4096);
    CHECK(hit(ring, 6, 2) == 1);
    check_packet(packet_at(ring, 0), 2, 6); /* where the first one was */
    CHECK(packet_at(ring, 0) == packet_at(ring, 2 * 4096));
    CHECK(hit(ring, 7, words) == -1 && ring->head == 3 * 4096);
    free(ring);
}

static void check_flight(void)
{
    struct ring *ring = make(4096, 2, 1);
    const size_t words = (4096 - HEADER - 8) / 8;
    for (uint64_t i = 0; i < 100; i++) {
        CHECK(hit(ring, i + 1, words) == (i ? 2 : 1));
        check_packet(packet_at(ring, i * 4096), i, i + 1);
        CHECK(i == 0 || packet_at(ring, (i - 1) * 4096)->sequence == i - 1);
    }
    CHECK(ring->tail == 0 && ring->head == 99 * 4096 + HEADER + words * 8);
    free(ring);
}

static void check_far_times(void)
{
    const uint64_t far = UINT64_C(1) << (RING_TIME_BITS - 1);
    struct ring *ring = make(4096, 4, 0);
    CHECK(!ring_is_far(1, far) && ring_is_far(1, far + 1) && ring_is_far(2, 1));
    CHECK(hit(ring, far * 16, 2) == 1 && ring->head == HEADER + 16);
    CHECK(hit(ring, far * 16 + far - 1, 2) == 0);
    CHECK(hit(ring, far * 17 + far - 1, 2) == 2);
    check_packet(packet_at(ring, 0), 0, far * 16);
    check_packet(packet_at(ring, 4096), 1, far * 17 + far - 1);
    CHECK(packet_at(ring, 0)->content == (HEADER + 32) * 8);
    free(ring);
}

static void check_words(void)
{
    const uint32_t most = (1u << RING_PROCESS_BITS) - 1;
    for (size_t bytes = 16; bytes <= RING_MAX_BYTES; bytes += bytes < 5000 ? 1 : 999) {
        uint64_t word = ring_second_word(most, 0, bytes), other = ring_second_word(0, most, bytes);
        CHECK(ring_bytes(word) == bytes && ring_bytes(other) == bytes);
        CHECK((word & most) == most && (word >> 32 & most) == 0);
        CHECK((other & most) == 0 && (other >> 32 & most) == most);
    }
    CHECK(ring_bytes(ring_second_word(~0u, ~0u, RING_MAX_BYTES)) == RING_MAX_BYTES);
    CHECK(ring_first_word(UINT64_MAX, 0xfffff) == UINT64_MAX);
    CHECK(ring_first_word(UINT64_MAX, 1) >> RING_TIME_BITS == 1);
}

static void check_validity(void)
{
    free(make(RING_LEAST_PACKET, 2, 0));
    const struct ring_file good = file;
    const size_t size = ring_size(&good);
    CHECK(size == RING_PAGE + RING_PAGE + (size_t)2 * RING_LEAST_PACKET);
    struct ring_file *whole = calloc(1, size);
    *whole = good;
    CHECK(ring_is_valid(whole, size) && !ring_is_valid(whole, size - 1));
    CHECK(!ring_is_valid(whole, size + 1) && !ring_is_valid(whole, 0));
    ring_of(whole, ring_stride(whole), 0)->head = UINT64_MAX - 8;
    CHECK(!ring_is_valid(whole, size));
    free(whole);
    struct ring_file bad[9];
    for (size_t i = 0; i < 9; i++)
        bad[i] = good;
    bad[0].magic++;
    bad[1].version = 2;
    bad[2].cpus = 0;
    bad[3].cpus = RING_MAX_CPUS + 1;
    bad[4].packet += 8;
    bad[5].packet /= 2;
    bad[6].packet = RING_MAX_PACKET * 2;
    bad[7].packets = 1;
    bad[8].packets = 3;
    for (size_t i = 0; i < 9; i++)
        CHECK(!ring_is_valid(&bad[i], ring_size(&bad[i])));
    /* As many packets as there may be, and twice that; of the ring, its head is looked at only. */
    struct ring_file *large = calloc(2, RING_PAGE);
    *large = good;
    large->cpus = 1;
    large->packets = 1u << 20;
    CHECK(ring_is_valid(large, ring_size(large)));
    large->packets *= 2;
    CHECK(!ring_is_valid(large, ring_size(large)));
    free(large);
}

/* ---- Two writers and a reader, in every order. ---- */

enum { WRITERS = 2, EVENTS = 4, WORDS = 3, PACKET = 128, PACKETS = 2, ALL = WRITERS * EVENTS };

struct writer {
    bool has_plan;
    uint8_t next, lost; /* event */
    enum ring_step step;
    struct ring_write write;
    struct ring_packet packet;
    uint64_t event[WORDS];
};

struct state {
    struct writer writers[WRITERS];
    uint8_t reads; /* how often the reader has looked */
    uint8_t count; /* events that it has read, writer and number of each */
    uint8_t writer[ALL], number[ALL];
    uint64_t sequence;
    struct ring *ring;
};

static struct {
    unsigned long states, conflicts, full, complete;
} seen;

static uint64_t *visited; /* hashes; 0: free */
enum { VISITED = 1 << 22 };

static uint64_t hash(uint64_t h, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    return h ^ h >> 29;
}

static bool is_new(const struct state *state)
{
    const struct ring *ring = state->ring;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < WRITERS; i++) {
        const struct writer *writer = &state->writers[i];
        uint64_t words[] = {writer->has_plan, writer->next, writer->lost, writer->step,
                            writer->has_plan ? writer->write.head : 0};
        h = hash(h, words, sizeof words);
    }
    uint64_t words[] = {state->reads, state->count, state->sequence, ring->head, ring->tail};
    h = hash(h, words, sizeof words);
    h = hash(h, state->writer, sizeof state->writer);
    h = hash(h, state->number, sizeof state->number);
    h = hash(h, ring->data, PACKET * PACKETS);
    h += h == 0;
    for (uint64_t at = h;; at++) {
        uint64_t *place = &visited[at & (VISITED - 1)];
        if (*place == h)
            return false;
        if (*place == 0) {
            *place = h;
            return true;
        }
    }
}

/* Events from FROM up to END, which is in the same packet, go to STATE's list. */
static void take(struct state *state, uint64_t from, uint64_t end)
{
    for (uint64_t at = from + HEADER; at < end; at += WORDS * 8) {
        const uint64_t *event = ring_place(&file, state->ring, at);
        CHECK(ring_bytes(event[1]) == (size_t)WORDS * 8 && state->count < ALL);
        if (state->count == ALL)
            return;
        state->writer[state->count] = (uint8_t)(event[0] >> RING_TIME_BITS);
        state->number[state->count++] = (uint8_t)event[2];
    }
}

/* Which events there are if everybody is killed now: all that were committed, in order, once. */
static void check_state(const struct state *given)
{
    struct state state = *given;
    int next[WRITERS] = {0}, found[WRITERS] = {0};
    for (uint64_t at = state.ring->tail; at < state.ring->head; at += PACKET)
        take(&state, at,
             at + PACKET <= state.ring->head ? at + packet_at(state.ring, at)->content / 8
                                             : state.ring->head);
    for (int i = 0; i < state.count; i++) {
        CHECK(state.writer[i] < WRITERS && state.number[i] >= next[state.writer[i]]);
        next[state.writer[i]] = state.number[i] + 1;
        found[state.writer[i]]++;
    }
    for (int i = 0; i < WRITERS; i++)
        CHECK(found[i] + state.writers[i].lost == state.writers[i].next);
}

static void step_writer(struct state *state, int which)
{
    struct writer *writer = &state->writers[which];
    if (writer->has_plan) {
        bool done = commit(state->ring, &writer->write);
        seen.conflicts += !done;
        writer->next += done && writer->step == RING_APPEND;
        writer->has_plan = false;
        return;
    }
    writer->step = plan(state->ring, atomic_load(&state->ring->head) + 1, writer->event, WORDS,
                        &writer->packet, &writer->write);
    writer->event[0] = ring_first_word(writer->write.last, (uint32_t)which);
    writer->event[2] = writer->next;
    writer->has_plan = writer->step != RING_FULL;
    if (writer->step == RING_FULL) {
        seen.full++;
        writer->lost++;
        writer->next++;
    }
}

/* A packet that is complete. */
static void step_reader(struct state *state)
{
    struct ring *ring = state->ring;
    state->reads++;
    if (ring->head - ring->tail < PACKET)
        return;
    const struct ring_packet *packet = packet_at(ring, ring->tail);
    CHECK(packet->sequence == state->sequence && packet->content / 8 <= PACKET);
    take(state, ring->tail, ring->tail + packet->content / 8);
    state->sequence++;
    atomic_store(&ring->tail, ring->tail + PACKET);
}

/* The same state in other memory: what plans point to moves along. */
static struct state *copy_of(const struct state *state)
{
    struct state *copy = malloc(sizeof *copy);
    *copy = *state;
    copy->ring = malloc(ring_stride(&file));
    memcpy(copy->ring, state->ring, ring_stride(&file));
    for (int i = 0; i < WRITERS; i++) {
        struct writer *writer = &copy->writers[i];
        const char *old = (const char *)&state->writers[i];
        if (!writer->has_plan)
            continue;
        writer->write.to = copy->ring->data + (writer->write.to - state->ring->data);
        ptrdiff_t from = (const char *)writer->write.from - old; /* the event, or the packet */
        writer->write.from = (const uint64_t *)(const void *)((const char *)writer + from);
    }
    return copy;
}

static void explore(const struct state *state)
{
    enum { READER = WRITERS, READS = 4 };
    if (check_failures > 20 || !is_new(state))
        return;
    seen.states++;
    check_state(state);
    bool is_complete = true;
    for (int who = 0; who <= WRITERS; who++) {
        if (who == READER ? state->reads == READS : state->writers[who].next == EVENTS)
            continue;
        is_complete = is_complete && who == READER;
        struct state *next = copy_of(state);
        if (who == READER)
            step_reader(next);
        else
            step_writer(next, who);
        explore(next);
        free(next->ring);
        free(next);
    }
    seen.complete += is_complete;
}

static void check_interleavings(void)
{
    struct state state = {.ring = make(PACKET, PACKETS, 0)};
    visited = calloc(VISITED, sizeof *visited);
    explore(&state);
    CHECK(seen.states > 10000 && seen.states < VISITED / 2);
    CHECK(seen.conflicts > 1000 && seen.full > 1000 && seen.complete > 100);
    free(visited);
    free(state.ring);
}

int main(int argc, char **argv)
{
    check_open_append_close();
    check_full_and_wrap();
    check_flight();
    check_far_times();
    check_words();
    check_validity();
    check_interleavings();
    if (argc > 1 && argv)
        printf("%lu states, %lu conflicts, %lu full, %lu complete\n", seen.states, seen.conflicts,
               seen.full, seen.complete);
    return check_failures != 0;
}
