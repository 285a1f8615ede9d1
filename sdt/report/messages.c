/* SPDX-License-Identifier: BSD-2-Clause */
/* See messages.h. What is open is in a table of keys, each with a queue of sends or of receives:
 * the one cancels the other. */
#include "messages.h"

#include "key_table.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OPEN = 1 << 20 };

struct open_end {
    struct open_end *next; /* a later one */
    int64_t time;
    size_t machine;
    uint32_t process;
};

struct open_value {
    struct keyed keyed;
    struct open_end *first, *last;
    enum message_side side;
    bool is_ambiguous;
};

struct table {
    struct key_table values;
    uint64_t open; /* ends */
};

/* ---- What is open. ---- */

static void forget_first(struct open_value *value)
{
    struct open_end *end = value->first;
    value->first = end->next;
    free(end);
}

static void forget_all(void *entry)
{
    struct open_value *value = entry;
    while (value->first)
        forget_first(value);
}

/* ---- Messages. ---- */

/* What is known when both ends of a message are. */
struct message {
    const struct message_kind *kind;
    const struct term *key;
    size_t from, to;
    int64_t sent, received;
};

static void take(struct messages *messages, const struct message *message)
{
    if (message->from == message->to) {
        messages->local++;
        return;
    }
    struct message_link *link = &messages->links[message->from * messages->machines + message->to];
    int64_t time = message->received - message->sent;
    messages->compared++;
    if (link->count++ && time >= link->least)
        return;
    free(link->key);
    link->least = time;
    link->sent = message->sent;
    struct bytes text = {0};
    filter_text(&text, message->key);
    link->key = bytes_take_text(&text);
    link->kind = message->kind;
}

/* EVENT is of SIDE, as are those that wait; or nothing waits. */
static void wait_for_other(struct messages *messages, struct table *table, struct open_value *value,
                           const struct event *event)
{
    if (value->first && value->first->process != event->process && !value->is_ambiguous) {
        value->is_ambiguous = true;
        messages->ambiguous++;
    }
    if (table->open == MOST_OPEN) {
        messages->too_many++;
        return;
    }
    struct open_end *end = memory_zeroed(1, sizeof *end);
    *end = (struct open_end){NULL, event->time, event->trace->machine, event->process};
    if (value->first)
        value->last->next = end;
    else
        value->first = end;
    value->last = end;
    table->open++;
}

/* EVENT is the other end of the first one that waits. */
static void complete(struct messages *messages, struct table *table, struct open_value *value,
                     const struct message_kind *kind, const struct term *key,
                     const struct event *event)
{
    const struct open_end *other = value->first;
    size_t machine = event->trace->machine;
    struct message message = {kind, key, other->machine, machine, other->time, event->time};
    if (value->side == SIDE_RECEIVE)
        message = (struct message){kind, key, machine, other->machine, event->time, other->time};
    if (!value->is_ambiguous)
        take(messages, &message);
    forget_first(value);
    table->open--;
}

static void take_key(struct messages *messages, struct table *table,
                     const struct message_kind *kind, const struct bytes *key,
                     const struct term *term, const struct event *event)
{
    enum message_side side = kind->sides[event->trace - event->recording->traces][event->class->id];
    uint64_t hash = key_table_hash(key);
    struct open_value *value = (void *)*key_table_find(&table->values, key, hash);
    if (!value)
        value = key_table_add(&table->values, key, hash);
    if (!value->first || value->side == side) {
        value->side = side;
        wait_for_other(messages, table, value, event);
    } else {
        complete(messages, table, value, kind, term, event);
    }
    if (!value->first)
        key_table_remove(&table->values, key_table_find(&table->values, key, hash));
}

static void take_event(struct messages *messages, struct table *table,
                       const struct message_kind *kind, size_t number, const struct event *event)
{
    enum message_side side = kind->sides[event->trace - event->recording->traces][event->class->id];
    if (side == SIDE_NONE || !filter_passes(&kind->predicate[side == SIDE_RECEIVE], event))
        return;
    struct bytes key = {0};
    struct term term = filter_value(&kind->key, event);
    bytes_append(&key, &number, sizeof number);
    if (match_value(&key, &term))
        take_key(messages, table, kind, &key, &term, event);
    bytes_free(&key);
}

void messages_find(struct messages *messages, const struct match *match,
                   struct recording *recording)
{
    struct table table = {0};
    struct merge merge;
    struct event event;
    size_t count = recording->machine_count;
    *messages = (struct messages){.machines = count};
    messages->links = memory_zeroed(count * count, sizeof *messages->links);
    if (!match->kind_count)
        return;
    key_table_start(&table.values, sizeof(struct open_value));
    merge_start(&merge, recording);
    while (merge_next(&merge, &event))
        for (size_t i = 0; i < match->kind_count; i++)
            take_event(messages, &table, &match->kinds[i], i, &event);
    merge_end(&merge);
    messages->left_over = table.open;
    key_table_end(&table.values, forget_all);
}

void messages_free(struct messages *messages)
{
    for (size_t i = 0; i < messages->machines * messages->machines; i++)
        free(messages->links[i].key);
    free(messages->links);
    *messages = (struct messages){0};
}
