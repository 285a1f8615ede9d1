/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See tally.h: new keys, keys of several words, and the rows of everybody.
 *
 * This file is compiled for general registers only.
 */
#include "tally.h"

static _Atomic uint64_t *atomic_at(uint8_t *address)
{
    return (_Atomic uint64_t *)(void *)address;
}

/* Whether PART of the key is that of ENTRY. */
static inline bool has_part(const uint64_t *entry, const struct tally_key *key, unsigned part)
{
    const uint64_t *theirs = entry + 1 + key->begin[part], *ours = key->word + key->begin[part];
    for (const uint64_t *end = ours + key->used[part]; ours < end; ours++, theirs++)
        if (*theirs != *ours)
            return false;
    return true;
}

static inline bool is_same(const uint64_t *entry, const struct tally_key *key)
{
    return has_part(entry, key, 0) && has_part(entry, key, 1);
}

/* Whether the free place ENTRY is now that of the key. */
static bool take(uint64_t *entry, const struct tally_key *key, uint64_t tag)
{
    _Atomic uint64_t *place = (_Atomic uint64_t *)(void *)entry;
    uint64_t found = 0;
    if (!atomic_compare_exchange_strong(place, &found, (tag & ~(uint64_t)LIVE_STATES) | LIVE_BUSY))
        return found == tag && is_same(entry, key);
    for (unsigned part = 0; part < 2; part++)
        for (uint32_t i = key->begin[part]; i < key->begin[part] + key->used[part]; i++)
            ((volatile uint64_t *)entry)[1 + i] = key->word[i]; /* or gcc calls memcpy() */
    atomic_store_explicit(place, tag, memory_order_release);
    return true;
}

uint64_t tally_row(const struct table_view *view, const struct tally_key *key)
{
    uint64_t tag = tally_tag(key->hash), row = tally_first_row(view, key->hash);
    for (unsigned i = 0; i < LIVE_MAX_PROBES; i++) {
        uint64_t *entry = tally_entry(view, row);
        uint64_t found = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
        if (found == tag ? is_same(entry, key) : !found && take(entry, key, tag))
            return row;
        row = (row + 1) & view->mask;
    }
    tally_missed(&view->table->overflow);
    return NO_ROW;
}

uint64_t tally_row_of_number(const struct table_view *view, uint64_t number, uint64_t hash)
{
    return tally_row_of_words(view, &number, 1, hash);
}

uint64_t tally_row_of_words(const struct table_view *view, const uint64_t *word, uint32_t words,
                            uint64_t hash)
{
    return tally_row(view, &(struct tally_key){hash, word, {0, 0}, {words, 0}});
}

uint64_t tally_row_of_pair(const struct table_view *view, uint64_t parent, uint64_t pc,
                           uint64_t hash)
{
    const uint64_t word[2] = {parent, pc};
    return tally_row(view, &(struct tally_key){hash, word, {0, 1}, {1, 1}});
}

void tally_add_shared(const struct table_view *view, uint64_t at, uint64_t n)
{
    atomic_fetch_add_explicit(atomic_at(view->shared + at), n, memory_order_relaxed);
}

void tally_raise(_Atomic uint64_t *place, uint64_t n)
{
    enum { MAX_TRIES = 100 };
    uint64_t old = atomic_load(place);
    for (int i = 0; i < MAX_TRIES && old < n; i++)
        if (atomic_compare_exchange_weak(place, &old, n))
            return;
}

void tally_observe_shared(const struct table_view *view, uint64_t at, uint64_t bucket,
                          uint64_t value, uint64_t biased)
{
    tally_raise(atomic_at(view->shared + at + LIVE_ROW_MAX), biased);
    tally_raise(atomic_at(view->shared + at + LIVE_ROW_MIN), ~biased);
    tally_add_shared(view, at + bucket, 1);
    tally_add_shared(view, at + LIVE_ROW_SUM, value);
}

static uint64_t linear_bucket(const struct table_view *view, uint64_t value, uint64_t bias)
{
    if (bias ? (int64_t)value < view->low : value < (uint64_t)view->low)
        return 0;
    uint64_t i = (value - (uint64_t)view->low) / view->step;
    return i < LIVE_LINEAR ? i + 1 : LIVE_LINEAR + 1;
}

uint64_t tally_any_bucket(const struct table_view *view, uint64_t value, uint64_t bias)
{
    return view->step ? linear_bucket(view, value, bias) : tally_bucket(value, bias);
}

void tally_count(const struct table_view *view, uint64_t row)
{
    if (view->percpu.cpus)
        tally_count_plainly(view, row);
    else
        tally_add_shared(view, row * view->row, 1);
}

void tally_observe(const struct table_view *view, uint64_t row, uint64_t value, uint64_t bias)
{
    uint64_t at = row * view->row;
    if (tally_is_plain(view)) {
        tally_observe_plainly(view, row, value, bias);
        return;
    }
    uint64_t bucket = tally_any_bucket(view, value, bias);
    uint8_t *word = view->rows + at;
    bucket = LIVE_ROW_BUCKETS + bucket * 8;
    if (!view->percpu.cpus || !percpu_observe(&view->percpu, word, word + bucket, value + bias))
        tally_observe_shared(view, at, bucket, value, value + bias);
    else if (!percpu_add(&view->percpu, word + LIVE_ROW_SUM, value))
        tally_add_shared(view, at + LIVE_ROW_SUM, value);
}
