/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See table.h: planning and making a table, and reading one that may hold anything. A reader loads
 * each word once, and uses no number of a table as an index or a length before bounding it by the
 * layout, which was copied before it was checked.
 */
#include "table.h"

#include "layout.h"

#include <string.h>

_Static_assert(sizeof(struct live_table) <= LIVE_PAGE, "a page");
_Static_assert(offsetof(struct live_table, overflow) == 512, "docs/live-programs.md");

/* ---- Layout. ---- */

static bool is_key(enum live_type type)
{
    return type == LIVE_SIGNED || type == LIVE_UNSIGNED || type == LIVE_STRING;
}

/* Of calls. */
static bool is_spec_of_calls(const struct live_table_spec *spec)
{
    const struct live_table_spec plain = {
        .value = LIVE_CALLS, .key = {LIVE_UNSIGNED, LIVE_UNSIGNED}, .keys = spec->keys};
    return spec->keys && spec->keys <= LIVE_MAX_KEYS && memcmp(spec, &plain, sizeof plain) == 0;
}

static bool is_spec(const struct live_table_spec *spec)
{
    if (spec->value == LIVE_CALLS)
        return is_spec_of_calls(spec);
    bool has_text = spec->key[0] == LIVE_STRING || spec->key[1] == LIVE_STRING;
    if (spec->value > LIVE_UNSIGNED || (spec->outliers && !spec->flights) ||
        (spec->key[1] && !spec->key[0]))
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (spec->key[i] && !is_key((enum live_type)spec->key[i]))
            return false;
    if (has_text ? !spec->key_text || spec->key_text % 8 || spec->key_text > LIVE_MAX_KEY_TEXT
                 : spec->key_text != 0)
        return false;
    if (spec->key[0] ? !spec->keys || spec->keys > LIVE_MAX_KEYS : spec->keys != 0)
        return false;
    if (spec->exemplars > LIVE_MAX_EXEMPLARS || spec->takes_bare > 1 || spec->zero ||
        !spec->exemplars != !spec->period || (!spec->exemplars && spec->takes_bare))
        return false;
    return spec->flights <= LIVE_MAX_FLIGHTS && (spec->value || !spec->flights) &&
           (spec->value || !spec->step) && (spec->step || !spec->low) &&
           (spec->value == LIVE_SIGNED || spec->low >= 0);
}

static uint32_t round_up(uint32_t n)
{
    uint32_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

static uint32_t bytes_of_key(const struct live_table_spec *spec, unsigned i)
{
    return spec->key[i] == LIVE_NONE ? 0 : spec->key[i] == LIVE_STRING ? 8 + spec->key_text : 8;
}

static uint64_t pages(uint64_t bytes)
{
    return (bytes + LIVE_PAGE - 1) / LIVE_PAGE * LIVE_PAGE;
}

bool live_table_plan(struct live_layout *layout, const struct live_table_spec *spec, uint32_t cpus)
{
    struct live_layout plan = {.spec = *spec, .cpus = cpus};
    if (!is_spec(&plan.spec) || cpus > LIVE_MAX_CPUS)
        return false;
    if (plan.spec.keys)
        plan.spec.keys = round_up(plan.spec.keys);
    if (plan.spec.flights)
        plan.spec.flights =
            round_up(plan.spec.flights < LIVE_GROUP ? LIVE_GROUP : plan.spec.flights);
    if (plan.spec.exemplars)
        plan.spec.exemplars = round_up(plan.spec.exemplars);
    plan.entry = plan.spec.keys ? 8 + bytes_of_key(&plan.spec, 0) + bytes_of_key(&plan.spec, 1) : 0;
    plan.row = !plan.spec.value                          ? 8
               : plan.spec.value == LIVE_CALLS           ? LIVE_CALLS_ROW
               : live_bucket_count(&plan) > LIVE_BUCKETS ? 8192
                                                         : 4096;
    plan.directory = LIVE_PAGE;
    plan.flights = plan.directory + pages((uint64_t)plan.spec.keys * plan.entry);
    plan.sides = plan.flights + pages(plan.spec.flights * sizeof(struct live_flight));
    plan.outliers = plan.sides;
    if (plan.spec.outliers || plan.spec.exemplars)
        plan.outliers += pages(plan.spec.flights * sizeof(struct live_side));
    plan.exemplars = plan.outliers + pages(plan.spec.outliers * sizeof(struct live_outlier));
    plan.rows = plan.exemplars + pages(plan.spec.exemplars * sizeof(struct live_exemplar));
    plan.stride = pages((uint64_t)live_rows(&plan) * plan.row);
    if (plan.stride > (LIVE_MAX_TABLE - plan.rows) / ((uint64_t)cpus + 1))
        return false;
    plan.size = plan.rows + plan.stride * ((uint64_t)cpus + 1);
    *layout = plan;
    return true;
}

void live_table_make(void *memory, const struct live_layout *layout)
{
    struct live_table *table = memory;
    table->abi = LIVE_TABLE_ABI;
    table->header = sizeof *layout;
    table->layout = *layout;
    atomic_store(&table->slowest, layout->spec.outliers ? 0 : UINT64_MAX);
    __atomic_store_n(&table->magic, LIVE_TABLE_MAGIC, __ATOMIC_RELEASE);
}

/* ---- Reading. ---- */

uint32_t live_table_abi(const void *memory, size_t size)
{
    const struct live_table *table = memory;
    return size >= LIVE_PAGE && table->magic == LIVE_TABLE_MAGIC ? table->abi : 0;
}

bool live_table_open(struct live_view *view, const void *memory, size_t size)
{
    const struct live_table *table = memory;
    struct live_layout found, plan;
    if (live_table_abi(memory, size) != LIVE_TABLE_ABI || table->header != sizeof found)
        return false;
    memcpy(&found, &table->layout, sizeof found);
    /* There is one layout for each spec, so its rules are in one place. */
    if (!live_table_plan(&plan, &found.spec, found.cpus) || memcmp(&plan, &found, sizeof plan) != 0)
        return false;
    if (plan.size > size)
        return false;
    *view = (struct live_view){memory, plan};
    return true;
}

static uint64_t word_at(const struct live_view *view, uint64_t offset)
{
    return __atomic_load_n((const uint64_t *)(const void *)(view->memory + offset),
                           __ATOMIC_RELAXED);
}

/* The key of number I, at OFFSET. */
static void read_key(const struct live_view *view, uint64_t offset, unsigned i,
                     struct live_key *key)
{
    const struct live_table_spec *spec = &view->layout.spec;
    uint64_t word = word_at(view, offset);
    key->type[i] = spec->key[i];
    key->number[i] = key->type[i] == LIVE_STRING ? 0 : word;
    key->length[i] = 0;
    if (key->type[i] != LIVE_STRING)
        return;
    key->length[i] = word < spec->key_text ? (uint32_t)word : spec->key_text;
    for (uint32_t at = 0; at < spec->key_text; at += 8) {
        word = word_at(view, offset + 8 + at);
        memcpy(key->text[i] + at, &word, sizeof word);
    }
}

bool live_row_key(const struct live_view *view, uint32_t row, struct live_key *key)
{
    const struct live_layout *layout = &view->layout;
    for (unsigned i = 0; i < 2; i++) {
        key->type[i] = LIVE_NONE;
        key->number[i] = key->length[i] = 0;
    }
    if (row >= live_rows(layout))
        return false;
    if (!layout->spec.keys)
        return true;
    uint64_t offset = layout->directory + (uint64_t)row * layout->entry;
    uint64_t tag =
        __atomic_load_n((const uint64_t *)(const void *)(view->memory + offset), __ATOMIC_ACQUIRE);
    if ((tag & LIVE_STATES) != LIVE_READY)
        return false;
    offset += 8;
    for (unsigned i = 0; i < 2 && layout->spec.key[i]; i++) {
        read_key(view, offset, i, key);
        offset += bytes_of_key(&layout->spec, i);
    }
    return true;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void add_histogram(const struct live_view *view, uint64_t offset, struct live_sums *sums)
{
    uint32_t n = live_bucket_count(&view->layout);
    if (view->layout.spec.value == LIVE_CALLS)
        sums->count += word_at(view, offset + LIVE_ROW_CALLS);
    sums->sum += word_at(view, offset + LIVE_ROW_SUM);
    sums->max = larger(sums->max, word_at(view, offset + LIVE_ROW_MAX));
    sums->min = larger(sums->min, word_at(view, offset + LIVE_ROW_MIN));
    for (uint32_t i = 0; i < n; i++) {
        uint64_t count = word_at(view, offset + LIVE_ROW_BUCKETS + (uint64_t)i * 8);
        sums->count += count;
        if (sums->buckets)
            sums->buckets[i] += count;
    }
}

void live_row_add(const struct live_view *view, uint32_t row, struct live_sums *sums)
{
    const struct live_layout *layout = &view->layout;
    if (row >= live_rows(layout))
        return;
    for (uint64_t cpu = 0; cpu <= layout->cpus; cpu++) {
        uint64_t offset = layout->rows + cpu * layout->stride + (uint64_t)row * layout->row;
        if (layout->spec.value)
            add_histogram(view, offset, sums);
        else
            sums->count += word_at(view, offset);
    }
}

/* ---- Places: the slowest, and exemplars. ---- */

/* COUNT words at OFFSET, the first of which is a tag that changes with the rest. */
static bool read_place(const struct live_view *view, uint64_t offset, uint64_t *words, size_t count)
{
    enum { MAX_TRIES = 4 };
    for (unsigned tries = 0; tries < MAX_TRIES; tries++) {
        words[0] = __atomic_load_n((const uint64_t *)(const void *)(view->memory + offset),
                                   __ATOMIC_ACQUIRE);
        if ((words[0] & LIVE_STATES) != LIVE_READY)
            return false;
        for (size_t k = 1; k < count; k++)
            words[k] = word_at(view, offset + (uint64_t)k * 8);
        atomic_thread_fence(memory_order_acquire);
        if (word_at(view, offset) == words[0]) /* unchanged meanwhile */
            return true;
    }
    return false;
}

/* The I-th of COUNT outliers or exemplars, of SIZE bytes each, from FIRST on. */
static bool read_hit(const struct live_view *view, uint64_t first, uint32_t count, uint32_t i,
                     void *to, size_t size)
{
    union largest {
        struct live_outlier outlier;
        struct live_exemplar exemplar;
    };
    uint64_t words[sizeof(union largest) / 8];
    if (i >= count || !read_place(view, first + (uint64_t)i * size, words, size / 8))
        return false;
    memcpy(to, words, size);
    return true;
}

bool live_outlier_read(const struct live_view *view, uint32_t i, struct live_outlier *outlier)
{
    return read_hit(view, view->layout.outliers, view->layout.spec.outliers, i, outlier,
                    sizeof *outlier);
}

bool live_exemplar_read(const struct live_view *view, uint32_t i, struct live_exemplar *exemplar)
{
    return read_hit(view, view->layout.exemplars, view->layout.spec.exemplars, i, exemplar,
                    sizeof *exemplar);
}

/* ---- Buckets. ---- */

static bool linear_bounds(const struct live_table_spec *spec, uint32_t i, __int128 *low,
                          __int128 *high)
{
    bool is_signed = spec->value == LIVE_SIGNED;
    __int128 first = is_signed ? INT64_MIN : 0, last = is_signed ? INT64_MAX : (__int128)UINT64_MAX;
    if (i > LIVE_LINEAR + 1)
        return false;
    *low = i ? spec->low + (__int128)spec->step * (i - 1) : first;
    *high = i <= LIVE_LINEAR ? spec->low + (__int128)spec->step * i - 1 : last;
    if (*high > last)
        *high = last;
    return *low <= *high && *low >= first;
}

/* The smallest value of a bucket, or of the one after the last. */
static __int128 begin_of(uint32_t i)
{
    return i < 8 ? (__int128)i : (__int128)(8 + i % 8) << (i / 8 - 1);
}

bool live_bucket_bounds(const struct live_layout *layout, uint32_t i, __int128 *low, __int128 *high)
{
    bool is_negative = i >= LIVE_BUCKETS;
    if (i >= live_bucket_count(layout))
        return false;
    if (layout->spec.step)
        return linear_bounds(&layout->spec, i, low, high);
    if (is_negative) /* of -1 - value, so that there is one for each */
        i -= LIVE_BUCKETS;
    __int128 begin = begin_of(i), end = begin_of(i + 1);
    *low = is_negative ? -end : begin;
    *high = is_negative ? -1 - begin : end - 1;
    return layout->spec.value == LIVE_UNSIGNED || begin <= INT64_MAX;
}
