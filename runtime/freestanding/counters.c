/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See hit/counters.h: a word for each processor, each in a cache line of its own. It is added to
 * atomically, since an interrupt may come in between and count the same probe.
 */
#include "hit/counters.h"

#include "hit/sync.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64, WORDS = LINE / sizeof(uint64_t) };

void counters_make(struct hit_state *state)
{
    size_t size = (size_t)sdt_kernel_cpus() * LINE;
    uint64_t *words = state->counters ? NULL : aligned_alloc(LINE, size);
    if (!words)
        return;
    memset(words, 0, size);
    __atomic_store_n(&state->counters, words, __ATOMIC_RELEASE);
}

void counters_free(const struct hit_state *state)
{
    free(state->counters);
}

void counters_add(struct hit_state *state, const struct reader *reader)
{
    uint64_t *words = __atomic_load_n(&state->counters, __ATOMIC_ACQUIRE);
    uint64_t *word = words ? &words[(size_t)reader->context.cpu * WORDS] : &state->hits;
    __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
}

uint64_t counters_sum(const struct hit_state *state)
{
    if (!state)
        return 0;
    const uint64_t *words = state->counters;
    uint64_t sum = __atomic_load_n(&state->hits, __ATOMIC_RELAXED);
    for (unsigned cpu = 0; words && cpu < sdt_kernel_cpus(); cpu++)
        sum += __atomic_load_n(&words[(size_t)cpu * WORDS], __ATOMIC_RELAXED);
    return sum;
}
