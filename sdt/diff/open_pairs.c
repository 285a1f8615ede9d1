/* SPDX-License-Identifier: BSD-2-Clause */
#include "open_pairs.h"

#include "report/pairing.h"

#include <stdlib.h>

void open_pairs_start(struct open_pairs *open)
{
    *open = (struct open_pairs){0};
    key_table_start(&open->table, sizeof(struct open_pair));
}

static void forget(void *one)
{
    (void)one;
}

void open_pairs_end(struct open_pairs *open)
{
    tracks_free(&open->threads);
    key_table_end(&open->table, forget);
    *open = (struct open_pairs){0};
}

static struct bytes key_of(uint64_t *number)
{
    return (struct bytes){.data = (uint8_t *)number, .size = sizeof *number};
}

static struct keyed **place_of(const struct open_pairs *open, uint64_t number)
{
    const struct bytes key = key_of(&number);
    return key_table_find(&open->table, &key, key_table_hash(&key));
}

static struct open_pair *find(const struct open_pairs *open, uint64_t number)
{
    return (struct open_pair *)*place_of(open, number);
}

static struct open_pair *add(struct open_pairs *open, uint64_t number)
{
    const struct bytes key = key_of(&number);
    return key_table_add(&open->table, &key, key_table_hash(&key));
}

/* ---- Very many. ---- */

static int compare_numbers(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* The number that as many are below as above. */
static uint64_t middle_of(const struct key_table *table)
{
    uint64_t *numbers = memory_zeroed(table->count, sizeof *numbers), middle;
    size_t count = 0;
    for (size_t i = 0; i < table->bucket_count; i++)
        for (const struct keyed *one = table->buckets[i]; one; one = one->next)
            numbers[count++] = ((const struct open_pair *)one)->number;
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    middle = numbers[count / 2];
    free(numbers);
    return middle;
}

static void forget_older_half(struct key_table *table)
{
    uint64_t middle = middle_of(table);
    for (size_t i = 0; i < table->bucket_count; i++)
        for (struct keyed **at = &table->buckets[i]; *at;)
            if (((struct open_pair *)*at)->number < middle)
                key_table_remove(table, at);
            else
                at = &(*at)->next;
}

/* ---- Begins and ends. ---- */

static struct track *thread_of(struct open_pairs *open, uint32_t process, uint32_t tid)
{
    bool is_new;
    return tracks_find(&open->threads, track_id(TRACK_THREAD, process, tid), &is_new);
}

/* Whether OUTER is known to have ended where ONE begins: a call that has no place on the stack any
 * more, as after longjmp(); or the same subject, which has lost its end, or the two overlap
 * (pairing.h). */
static bool has_ended(const struct open_pair *outer, const struct open_pair *one)
{
    return outer->frame && one->frame ? outer->frame <= one->frame : outer->subject == one->subject;
}

/* The node that ONE is below. What has ended closes, with what is inside it. */
static uint32_t parent_of(const struct open_pairs *open, struct track *thread,
                          const struct open_pair *one)
{
    for (size_t i = thread->open_count; i > 0; i--) {
        const struct open_pair *outer = find(open, thread->open[i - 1]);
        if (!outer || has_ended(outer, one))
            thread->open_count = i - 1;
    }
    const struct open_pair *last =
        thread->open_count ? find(open, thread->open[thread->open_count - 1]) : NULL;
    return last ? last->node : NEST_ROOT;
}

struct open_pair *open_pairs_begin(struct open_pairs *open, const struct event *event,
                                   uint32_t subject, const struct pair *pair, struct nest *tree)
{
    uint64_t number = ++open->count;
    uint32_t parent = NEST_ROOT;
    if (open->table.count >= OPEN_PAIRS)
        forget_older_half(&open->table);
    struct open_pair *one = add(open, number);
    one->number = number;
    one->frame = pairing_frame(pair, event);
    one->subject = subject;
    if (!pair_is_async(pair)) {
        struct track *thread = thread_of(open, event->process, event->tid);
        parent = parent_of(open, thread, one);
        track_push(thread, number);
    }
    one->node = nest_child(tree, parent, subject);
    return one;
}

struct open_pair *open_pairs_take(struct open_pairs *open, uint32_t process, uint32_t tid,
                                  uint64_t number)
{
    struct track *thread = thread_of(open, process, tid);
    for (size_t i = thread->open_count; i > 0; i--)
        if (thread->open[i - 1] == number)
            thread->open_count = i - 1;
    return find(open, number);
}

void open_pairs_close(struct open_pairs *open, struct open_pair *one)
{
    key_table_remove(&open->table, place_of(open, one->number));
}
