/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From a key to its row, and from a value to what is added there (table.h), inline: this is most of
 * a hit's time. What others have written into the table can only affect which row is found: every
 * number that is used as an index is masked by this process's own layout.
 */
#ifndef SDT_BYTECODE_TALLY_H
#define SDT_BYTECODE_TALLY_H

#include "compiled.h"

static inline uint64_t tally_hash(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Where the search for a key begins, and what its tag is when it is there. */
static inline uint64_t tally_first_row(const struct table_view *view, uint64_t hash)
{
    return hash >> 24 & view->mask;
}
static inline uint64_t tally_tag(uint64_t hash)
{
    return (hash & ~(uint64_t)LIVE_STATES) | LIVE_READY;
}
static inline uint64_t *tally_entry(const struct table_view *view, uint64_t row)
{
    return (uint64_t *)(void *)(view->directory + row * view->entry);
}

/* A key as the directory has it: USED words of each part, which begins at word[BEGIN]. What is left
 * of a text's place is zero in every entry, and need be neither written nor compared. */
struct tally_key {
    uint64_t hash;
    const uint64_t *word;
    uint32_t begin[2], used[2];
};

#define NO_ROW UINT64_MAX
/* In tally.c. The row of KEY; NO_ROW: there is no place for it, which is counted. */
uint64_t tally_row(const struct table_view *view, const struct tally_key *key);
/* The same of one number, which is nearly always in the first place that is searched. */
static inline uint64_t tally_number_row(const struct table_view *view, uint64_t number)
{
    uint64_t hash = tally_hash(0, number), row = tally_first_row(view, hash);
    const uint64_t *entry = tally_entry(view, row);
    if (__builtin_expect(
            __atomic_load_n(entry, __ATOMIC_ACQUIRE) == tally_tag(hash) && entry[1] == number, 1))
        return row;
    return tally_row(view, &(struct tally_key){hash, &number, {0, 0}, {1, 0}});
}

/* In tally.c: the rows that everybody adds to. */
void tally_add_shared(const struct table_view *view, uint64_t at, uint64_t n);
void tally_observe_shared(const struct table_view *view, uint64_t at, uint64_t bucket, uint64_t n);
uint64_t tally_linear_bucket(const struct table_view *view, uint64_t value, bool is_signed);

/* Make PLACE the larger of itself and N. */
void tally_raise(_Atomic uint64_t *place, uint64_t n);

static inline void tally_count(const struct table_view *view, uint64_t row)
{
    uint64_t at = row * view->row;
    if (__builtin_expect(!view->percpu.cpus || !percpu_add(&view->percpu, view->rows + at, 1), 0))
        tally_add_shared(view, at, 1);
}

static inline void tally_observe(const struct table_view *view, uint64_t row, uint64_t value,
                                 bool is_signed)
{
    uint64_t at = row * view->row, bias = (uint64_t)is_signed << 63;
    uint64_t bucket = __builtin_expect(view->step != 0, 0)
                          ? tally_linear_bucket(view, value, is_signed)
                      : is_signed && value >> 63 ? LIVE_BUCKETS + live_bucket(~value)
                                                 : live_bucket(value);
    uint8_t *word = view->rows + at;
    bucket = LIVE_ROW_BUCKETS + bucket * 8;
    if (__builtin_expect(!view->percpu.cpus ||
                             !percpu_observe(&view->percpu, word, word + bucket, value + bias),
                         0))
        tally_observe_shared(view, at, bucket, value + bias);
    if (__builtin_expect(
            !view->percpu.cpus || !percpu_add(&view->percpu, word + LIVE_ROW_SUM, value), 0))
        tally_add_shared(view, at + LIVE_ROW_SUM, value);
}

static inline void tally_missed(_Atomic uint64_t *counter)
{
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

#endif
