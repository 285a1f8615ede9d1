/* SPDX-License-Identifier: BSD-2-Clause */
#include "open_pairs.h"

#include <stdlib.h>

void open_pairs_start(struct open_pairs *open)
{
    *open = (struct open_pairs){.list = memory_zeroed(OPEN_PAIRS, sizeof *open->list)};
}

void open_pairs_end(struct open_pairs *open)
{
    tracks_free(&open->threads);
    free(open->list);
    *open = (struct open_pairs){0};
}

static struct open_pair *find(const struct open_pairs *open, uint64_t number)
{
    struct open_pair *one = &open->list[number % OPEN_PAIRS];
    return one->number == number ? one : NULL;
}

static struct track *thread_of(struct open_pairs *open, uint32_t pid, uint32_t tid)
{
    bool is_new;
    return tracks_find(&open->threads, track_id(TRACK_THREAD, pid, tid), &is_new);
}

/* The node that a pair of SUBJECT is below. The same subject, open already, has lost its end, or
 * the two overlap (pairing.h): it closes, with what is inside it. */
static uint32_t parent_of(const struct open_pairs *open, struct track *thread, uint32_t subject)
{
    for (size_t i = thread->open_count; i > 0; i--) {
        const struct open_pair *one = find(open, thread->open[i - 1]);
        if (!one || one->subject == subject)
            thread->open_count = i - 1;
    }
    const struct open_pair *last =
        thread->open_count ? find(open, thread->open[thread->open_count - 1]) : NULL;
    return last ? last->node : NEST_ROOT;
}

struct open_pair *open_pairs_begin(struct open_pairs *open, const struct event *event,
                                   uint32_t subject, bool is_alone, struct nest *tree)
{
    uint64_t number = ++open->count;
    struct open_pair *one = &open->list[number % OPEN_PAIRS];
    uint32_t parent = NEST_ROOT;
    if (!is_alone) {
        struct track *thread = thread_of(open, event->pid, event->tid);
        parent = parent_of(open, thread, subject);
        track_push(thread, number);
    }
    *one = (struct open_pair){
        .number = number, .subject = subject, .node = nest_child(tree, parent, subject)};
    return one;
}

struct open_pair *open_pairs_take(struct open_pairs *open, uint32_t pid, uint32_t tid,
                                  uint64_t number)
{
    struct track *thread = thread_of(open, pid, tid);
    for (size_t i = thread->open_count; i > 0; i--)
        if (thread->open[i - 1] == number)
            thread->open_count = i - 1;
    return find(open, number);
}
