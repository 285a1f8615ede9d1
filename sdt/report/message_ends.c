/* SPDX-License-Identifier: BSD-2-Clause */
/* See message_ends.h. What is open is in a table of keys, each with a queue of sends or of
 * receives: the one cancels the other. */
#include "message_ends.h"

#include <stdlib.h>

enum { MOST_OPEN = 1 << 20 };

struct open_value {
    struct keyed keyed;
    struct message_end *first, *last;
    enum message_side side;
    bool is_ambiguous;
};

static void forget_first(struct open_value *value)
{
    struct message_end *end = value->first;
    value->first = end->next;
    free((void *)(uintptr_t)end->ids);
    free(end);
}

static void forget_all(void *entry)
{
    struct open_value *value = entry;
    while (value->first)
        forget_first(value);
}

static const struct otlp_ids *copy_of(const struct otlp_ids *ids)
{
    struct otlp_ids *copy = ids ? memory_zeroed(1, sizeof *copy) : NULL;
    if (copy)
        *copy = *ids;
    return copy;
}

/* END is of SIDE, as are those that wait; or nothing waits. */
static void wait_for_other(struct message_ends *ends, struct open_value *value,
                           const struct message_end *end)
{
    if (value->first && value->first->process != end->process && !value->is_ambiguous) {
        value->is_ambiguous = true;
        ends->ambiguous++;
    }
    if (ends->open == MOST_OPEN) {
        ends->too_many++;
        return;
    }
    struct message_end *kept = memory_zeroed(1, sizeof *kept);
    *kept = *end;
    kept->ids = copy_of(end->ids);
    if (value->first)
        value->last->next = kept;
    else
        value->first = kept;
    value->last = kept;
    ends->open++;
}

/* END is the other one of the first that waits. */
static void complete(struct message_ends *ends, struct open_value *value,
                     const struct message_kind *kind, const struct term *key,
                     const struct message_end *end)
{
    bool is_send = value->side == SIDE_RECEIVE;
    const struct message message = {kind, key, is_send ? end : value->first,
                                    is_send ? value->first : end};
    if (!value->is_ambiguous)
        ends->visit(ends->data, &message);
    forget_first(value);
    ends->open--;
}

static void take_key(struct message_ends *ends, const struct message_kind *kind,
                     const struct bytes *key, const struct term *term, enum message_side side,
                     const struct message_end *end)
{
    uint64_t hash = key_table_hash(key);
    struct open_value *value = (void *)*key_table_find(&ends->values, key, hash);
    if (!value)
        value = key_table_add(&ends->values, key, hash);
    if (!value->first || value->side == side) {
        value->side = side;
        wait_for_other(ends, value, end);
    } else {
        complete(ends, value, kind, term, end);
    }
    if (!value->first)
        key_table_remove(&ends->values, key_table_find(&ends->values, key, hash));
}

void message_ends_take(struct message_ends *ends, const struct event *event, enum message_side side,
                       const struct otlp_ids *ids)
{
    const struct message_end end = {NULL, event->time, event->trace->machine, event->process, ids};
    size_t trace = (size_t)(event->trace - event->recording->traces);
    for (size_t i = 0; i < ends->match->kind_count; i++) {
        const struct message_kind *kind = &ends->match->kinds[i];
        struct bytes key = {0};
        if (kind->sides[trace][event->class->id] != side ||
            !filter_passes(&kind->predicate[side == SIDE_RECEIVE], event))
            continue;
        struct term term = filter_value(&kind->key, event);
        bytes_append(&key, &i, sizeof i);
        if (match_value(&key, &term))
            take_key(ends, kind, &key, &term, side, &end);
        bytes_free(&key);
    }
}

void message_ends_start(struct message_ends *ends, const struct match *match,
                        void (*visit)(void *data, const struct message *message), void *data)
{
    *ends = (struct message_ends){.match = match, .visit = visit, .data = data};
    key_table_start(&ends->values, sizeof(struct open_value));
}

void message_ends_free(struct message_ends *ends)
{
    key_table_end(&ends->values, forget_all);
}
