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
/* The same of a key that is one number, or one text whose words are WORDS from WORD on. */
uint64_t tally_row_of_number(const struct table_view *view, uint64_t number, uint64_t hash);
uint64_t tally_row_of_words(const struct table_view *view, const uint64_t *word, uint32_t words,
                            uint64_t hash);
/* The same, which are nearly always in the first place that is searched. */
static inline uint64_t tally_number_row(const struct table_view *view, uint64_t number)
{
    uint64_t hash = tally_hash(0, number), row = tally_first_row(view, hash);
    const uint64_t *entry = tally_entry(view, row);
    if (__builtin_expect(
            __atomic_load_n(entry, __ATOMIC_ACQUIRE) == tally_tag(hash) && entry[1] == number, 1))
        return row;
    return tally_row_of_number(view, number, hash);
}

static inline uint64_t tally_text_row(const struct table_view *view, const uint64_t *word,
                                      size_t words, uint64_t hash)
{
    uint64_t row = tally_first_row(view, hash);
    const uint64_t *entry = tally_entry(view, row);
    size_t i = 0;
    if (__atomic_load_n(entry, __ATOMIC_ACQUIRE) == tally_tag(hash))
        while (i < words && entry[1 + i] == word[i])
            i++;
    if (__builtin_expect(i == words, 1)) /* of which there is at least one */
        return row;
    return tally_row_of_words(view, word, (uint32_t)words, hash);
}

/* In tally.c: the rows that everybody adds to. */
void tally_add_shared(const struct table_view *view, uint64_t at, uint64_t n);
void tally_observe_shared(const struct table_view *view, uint64_t at, uint64_t bucket,
                          uint64_t value, uint64_t biased);

/* Make PLACE the larger of itself and N. */
void tally_raise(_Atomic uint64_t *place, uint64_t n);

/* Whether the table is as most are: CPUs have rows of their own, and buckets are not linear. If so,
 * the functions below take less. */
static inline bool tally_is_plain(const struct table_view *view)
{
    return view->percpu.cpus && !view->step;
}

static inline void tally_count_plainly(const struct table_view *view, uint64_t row)
{
    uint64_t at = row * view->row;
    if (__builtin_expect(!percpu_add(&view->percpu, view->rows + at, 1), 0))
        tally_add_shared(view, at, 1);
}

/* BIAS: of values with a sign 2^63, else 0. */
static inline uint64_t tally_bucket(uint64_t value, uint64_t bias)
{
    uint64_t negative = (uint64_t)((int64_t)(value & bias) >> 63); /* all ones, or none */
    return live_bucket(value ^ negative) + (negative & LIVE_BUCKETS);
}

static inline __attribute__((always_inline)) void
tally_observe_plainly(const struct table_view *view, uint64_t row, uint64_t value, uint64_t bias)
{
    uint64_t at = row * view->row, n = value + bias;
    uint64_t bucket = LIVE_ROW_BUCKETS + tally_bucket(value, bias) * 8;
    uint8_t *word = view->rows + at;
    if (__builtin_expect(!percpu_observe(&view->percpu, word, word + bucket, n), 0))
        tally_observe_shared(view, at, bucket, value, n);
    else if (__builtin_expect(!percpu_add(&view->percpu, word + LIVE_ROW_SUM, value), 0))
        tally_add_shared(view, at + LIVE_ROW_SUM, value);
}

/* The row of a call: of PARENT, its caller's and 1, or 0, and the function that begins at PC. */
uint64_t tally_row_of_pair(const struct table_view *view, uint64_t parent, uint64_t pc,
                           uint64_t hash);
static inline uint64_t tally_pair_row(const struct table_view *view, uint64_t parent, uint64_t pc)
{
    uint64_t hash = tally_hash(tally_hash(0, parent), pc), row = tally_first_row(view, hash);
    const uint64_t *entry = tally_entry(view, row);
    bool is_there = __atomic_load_n(entry, __ATOMIC_ACQUIRE) == tally_tag(hash) &&
                    entry[1] == parent && entry[2] == pc;
    return __builtin_expect(is_there, 1) ? row : tally_row_of_pair(view, parent, pc, hash);
}

/* One more call, which took NS. */
static inline void tally_call(const struct table_view *view, uint64_t row, uint64_t ns)
{
    uint64_t at = row * view->row;
    uint8_t *word = view->rows + at;
    if (__builtin_expect(!view->percpu.cpus ||
                             !percpu_observe(&view->percpu, word, word + LIVE_ROW_CALLS, ns),
                         0))
        tally_observe_shared(view, at, LIVE_ROW_CALLS, ns, ns);
    else if (__builtin_expect(!percpu_add(&view->percpu, word + LIVE_ROW_SUM, ns), 0))
        tally_add_shared(view, at + LIVE_ROW_SUM, ns);
}

/* In tally.c, of any table. */
uint64_t tally_any_bucket(const struct table_view *view, uint64_t value, uint64_t bias);
void tally_count(const struct table_view *view, uint64_t row);
void tally_observe(const struct table_view *view, uint64_t row, uint64_t value, uint64_t bias);

static inline void tally_missed(_Atomic uint64_t *counter)
{
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

#endif
