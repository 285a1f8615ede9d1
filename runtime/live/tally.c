/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From a key to its row, and from a value to what is added there (table.h). What others may have
 * written into the table decides which row is found, and nothing else: every number that is used as
 * an index is masked by what this process has planned.
 *
 * This file is compiled for general registers only.
 */
#include "aggregation.h"

static uint64_t *entry_at(const struct hand *hand, uint64_t row)
{
    return (uint64_t *)(void *)(hand->directory + row * hand->entry);
}

static _Atomic uint64_t *tag_of(uint64_t *entry)
{
    return (_Atomic uint64_t *)(void *)entry;
}

static inline bool is_same(const uint64_t *entry, const uint64_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (entry[1 + i] != words[i])
            return false;
    return true;
}

/* Whether the free place ENTRY is now that of the key. */
static bool take(uint64_t *entry, const uint64_t *words, size_t n, uint64_t tag)
{
    uint64_t none = 0;
    if (!atomic_compare_exchange_strong(tag_of(entry), &none,
                                        (tag & ~(uint64_t)LIVE_STATES) | LIVE_BUSY))
        return none == tag && is_same(entry, words, n);
    for (size_t i = 0; i < n; i++)
        ((volatile uint64_t *)entry)[1 + i] = words[i]; /* or gcc calls memcpy() */
    atomic_store_explicit(tag_of(entry), tag, memory_order_release);
    return true;
}

uint64_t tally_row(const struct hand *hand, const uint64_t *words, size_t n, uint64_t hash)
{
    uint64_t tag = (hash & ~(uint64_t)LIVE_STATES) | LIVE_READY, row = hash >> 24;
    for (unsigned i = 0; i < LIVE_MOST_PROBES; i++) {
        row &= hand->mask;
        uint64_t *entry = entry_at(hand, row);
        uint64_t found = atomic_load_explicit(tag_of(entry), memory_order_acquire);
        if (found == tag ? is_same(entry, words, n) : !found && take(entry, words, n, tag))
            return row;
        row++;
    }
    return NO_ROW;
}

void tally_count(const struct hand *hand, uint64_t row)
{
    uint64_t at = row * hand->row;
    if (__builtin_expect(!hand->percpu.cpus || !percpu_add(&hand->percpu, hand->rows + at, 1), 0))
        tally_missed((_Atomic uint64_t *)(void *)(hand->shared + at));
}

static void observe_shared(uint8_t *row, uint64_t bucket, uint64_t n)
{
    enum { MOST_TRIES = 100 };
    _Atomic uint64_t *max = (_Atomic uint64_t *)(void *)(row + LIVE_ROW_MAX);
    _Atomic uint64_t *min = (_Atomic uint64_t *)(void *)(row + LIVE_ROW_MIN);
    uint64_t old = atomic_load(max);
    for (int i = 0; i < MOST_TRIES && old < n && !atomic_compare_exchange_weak(max, &old, n); i++)
        ;
    old = atomic_load(min);
    for (int i = 0; i < MOST_TRIES && old < ~n && !atomic_compare_exchange_weak(min, &old, ~n); i++)
        ;
    tally_missed((_Atomic uint64_t *)(void *)(row + bucket));
}

static uint64_t linear_bucket(const struct hand *hand, uint64_t value, bool is_signed)
{
    if (is_signed ? (int64_t)value < hand->low : value < (uint64_t)hand->low)
        return 0;
    uint64_t i = (value - (uint64_t)hand->low) / hand->step;
    return i < LIVE_LINEAR ? i + 1 : LIVE_LINEAR + 1;
}

void tally_observe(const struct hand *hand, uint64_t row, uint64_t value, bool is_signed)
{
    uint64_t at = row * hand->row, bias = (uint64_t)is_signed << 63;
    uint64_t bucket = __builtin_expect(hand->step != 0, 0) ? linear_bucket(hand, value, is_signed)
                      : is_signed && value >> 63           ? LIVE_BUCKETS + live_bucket(~value)
                                                           : live_bucket(value);
    bucket = LIVE_ROW_BUCKETS + bucket * 8;
    uint8_t *word = hand->rows + at;
    if (__builtin_expect(!hand->percpu.cpus ||
                             !percpu_observe(&hand->percpu, word, word + bucket, value + bias),
                         0))
        observe_shared(hand->shared + at, bucket, value + bias);
    if (__builtin_expect(
            !hand->percpu.cpus || !percpu_add(&hand->percpu, word + LIVE_ROW_SUM, value), 0))
        atomic_fetch_add((_Atomic uint64_t *)(void *)(hand->shared + at + LIVE_ROW_SUM), value);
}
