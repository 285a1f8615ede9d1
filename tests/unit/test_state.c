/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The states of probes: no two share a cache line, what was given back is used again and begins
 * with zeros, and threads may give back while another one takes.
 */
#include "check.h"

#include <hit/state.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 1000, THREADS = 3, ROUNDS = 200, OF_THREAD = STATES / THREADS };

static struct hit_state *states[STATES];
static uintptr_t places[STATES]; /* theirs, in order */
static const struct probe *const a_probe = (const struct probe *)states;

static int compare(const void *left, const void *right)
{
    const uintptr_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* All of them, as they must be when they are new. */
static void take_all(void)
{
    for (unsigned i = 0; i < STATES; i++) {
        struct hit_state *state = states[i] = state_take(a_probe);
        CHECK(state && state->probe == a_probe);
        if (!state)
            return;
        CHECK(!state->counters && !state->old_counters && !state->hits && !state->next);
        state->hits = i + 1;
        state->counters = state;
        places[i] = (uintptr_t)state;
    }
    qsort(places, STATES, sizeof *places, compare);
    for (unsigned i = 0; i < STATES; i++)
        CHECK(places[i] % 64 == 0 && (i == 0 || places[i] - places[i - 1] >= 64));
}

static void *give_back(void *first)
{
    struct hit_state **mine = first;
    for (unsigned i = 0; i < OF_THREAD; i++)
        state_give_back(mine[i]);
    return NULL;
}

/* Whatever is taken meanwhile is nobody else's. */
static void check_threads(void)
{
    pthread_t threads[THREADS];
    struct hit_state *more[OF_THREAD];
    for (unsigned i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, give_back, &states[(size_t)i * OF_THREAD]);
    for (unsigned i = 0; i < OF_THREAD; i++) {
        more[i] = state_take(a_probe);
        CHECK(more[i]->hits == 0);
        more[i]->hits = UINT64_MAX;
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < OF_THREAD; i++) {
        CHECK(more[i]->hits == UINT64_MAX);
        state_give_back(more[i]);
    }
    for (unsigned i = THREADS * OF_THREAD; i < STATES; i++)
        state_give_back(states[i]);
}

static void check_reuse(void)
{
    uintptr_t before[STATES];
    take_all();
    memcpy(before, places, sizeof before);
    for (unsigned i = 0; i < STATES; i++)
        state_give_back(states[i]);
    take_all();
    CHECK(memcmp(before, places, sizeof before) == 0);
    for (unsigned i = 0; i < STATES; i++)
        state_give_back(states[i]);
    state_give_back(NULL);
}

int main(void)
{
    check_reuse();
    for (unsigned round = 0; round < ROUNDS; round++) {
        take_all();
        check_threads();
    }
    CHECK(!state_gone.probe && !state_gone.counters);
    return check_failures != 0;
}
