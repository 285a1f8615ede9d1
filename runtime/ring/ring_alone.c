/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The step of a ring (ring/ring.h) that only the calling thread writes to, which blocks all
 * signals meanwhile: where there are no restartable sequences.
 *
 * The head is stored last, by a compare and exchange with release: whoever sees it, in another
 * process as well, sees the event.
 */
#include "hit.h"

#include <string.h>

static bool is_head(struct ring *ring, uint64_t head)
{
    return atomic_load_explicit(&ring->head, memory_order_relaxed) == head;
}

static bool move_head(struct ring *ring, uint64_t head, uint64_t next)
{
    return atomic_compare_exchange_strong_explicit(&ring->head, &head, next, memory_order_release,
                                                   memory_order_relaxed);
}

/* Not memcpy(), nor a loop that compilers take for it: that of the C library uses vector registers,
 * the program's own here. */
static void store_words(uint64_t *to, const uint64_t *from, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED);
}

bool ring_commit_alone(struct ring *ring, const struct ring_write *write)
{
    if (!is_head(ring, write->head))
        return false;
    store_words(write->to, write->from, write->words);
    ring->last = write->last;
    return move_head(ring, write->head, write->next);
}

/* A word has up to seven bytes too much: the next one overwrites them, or the zeros at the end. */
bool ring_commit_fields_alone(struct ring *ring, const struct ring_fields *fields)
{
    if (!is_head(ring, fields->head))
        return false;
    char *to = (char *)fields->to;
    const uint64_t zero = 0;
    memcpy(to, fields->words, 2 * sizeof *fields->words);
    to += 2 * sizeof *fields->words;
    for (uint64_t i = 0; i < fields->count; i++)
        memcpy(to + fields->places[i], &fields->words[2 + i], sizeof *fields->words);
    memcpy(to + fields->places[fields->count], &zero, sizeof zero);
    ring->last = fields->last;
    return move_head(ring, fields->head, fields->next);
}
