/* SPDX-License-Identifier: BSD-2-Clause */
/* See state.h. One thread at a time takes, so whoever is on the stack of returned ones stays there
 * until that thread takes it. */
#include "state.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { LINE = 64, OF_BLOCK = 63 };

struct block {
    struct block *next;
    struct hit_state states[OF_BLOCK];
};
_Static_assert(sizeof(struct hit_state) == LINE && sizeof(struct block) == (size_t)64 * LINE,
               "a page");

struct hit_state state_gone;

static struct block *blocks;
static size_t used = OF_BLOCK; /* of the first block */
static _Atomic(struct hit_state *) returned;

static struct hit_state *take_returned(void)
{
    struct hit_state *state = atomic_load(&returned);
    while (state && !atomic_compare_exchange_weak(&returned, &state, state->next))
        ;
    return state;
}

/* One that was never used. */
static struct hit_state *take_new(void)
{
    if (used == OF_BLOCK) {
        struct block *block = aligned_alloc(LINE, sizeof *block);
        if (!block)
            return NULL;
        block->next = blocks;
        blocks = block;
        used = 0;
    }
    return &blocks->states[used++];
}

struct hit_state *state_take(const struct probe *probe)
{
    struct hit_state *state = take_returned();
    if (!state)
        state = take_new();
    if (!state)
        return NULL;
    *state = (struct hit_state){.probe = probe};
    return state;
}

void state_give_back(struct hit_state *state)
{
    if (!state)
        return;
    state->next = atomic_load(&returned);
    while (!atomic_compare_exchange_weak(&returned, &state->next, state))
        ;
}
