/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See pairing.h. What is open is in a hash table of values, each with a list of begins, the latest
 * first; its memory grows with what is open, not with the recording.
 */
#include "pairing.h"

#include "base/memory.h"

#include <exchange/layout.h>
#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>

struct pairing_begin {
    struct pairing_begin *next; /* an earlier one */
    uint64_t number;
    int64_t time;
    uint32_t pid, tid;
    bool overlaps;
};

struct pairing_value {
    struct keyed keyed;
    struct pairing_begin *begins;
    unsigned count; /* of these */
};

/* So many are remembered of one value: those that never end would only become more. */
enum { MOST_BEGINS = 256 };

/* ---- Values. ---- */

static void add_word(struct bytes *key, uint64_t word)
{
    bytes_append(key, &word, sizeof word);
}

/* Integers by their bits and text by its first bytes, as in a process. False: it has no value. */
static bool add_value(struct bytes *key, const struct term *value)
{
    size_t most = LIVE_MAX_KEY_TEXT;
    switch (value->kind) {
    case TERM_INTEGER:
        add_word(key, (uint64_t)value->integer);
        return true;
    case TERM_REAL:
        bytes_append(key, &value->real, sizeof value->real);
        return true;
    case TERM_TEXT:
        bytes_append(key, value->text.text, value->text.length < most ? value->text.length : most);
        return true;
    default:
        return false;
    }
}

bool pairing_value(struct bytes *key, const struct pair *pair, const struct event *event)
{
    if (!pair_is_async(pair))
        return false;
    struct term value = filter_value(&pair->match, event);
    return add_value(key, &value);
}

uint64_t pairing_frame(const struct pair *pair, const struct event *event)
{
    for (size_t i = 0; pair->is_functions && i < event->value_count; i++)
        if (!strcmp(event->class->fields[i].name, SDT_FUNCTION_FRAME))
            return event->values[i].natural;
    return 0;
}

/* What an end of PAIR has in common with its begin. Slices without a name are those of functions.
 */
static bool make_key(struct bytes *key, const struct pairs *pairs, size_t i,
                     const struct event *event)
{
    const struct pair *pair = &pairs->list[i];
    add_word(key, i);
    add_word(key, (uint64_t)(event->trace - event->recording->traces));
    if (pair_is_async(pair))
        return pairing_value(key, pair, event);
    add_word(key, event->tid);
    uint64_t frame = pairing_frame(pair, event);
    if (frame)
        add_word(key, frame);
    if (!pair->name)
        bytes_append(key, event->class->function, strlen(event->class->function));
    return true;
}

/* ---- Begins and ends. ---- */

/* The one of process PID that does not overlap: the last of it, unless that has ended. NULL: there
 * is none. */
static struct pairing_begin **find_alone(struct pairing_value *value, uint32_t pid)
{
    struct pairing_begin **at = &value->begins;
    while (*at && ((*at)->overlaps || (*at)->pid != pid))
        at = &(*at)->next;
    return *at ? at : NULL;
}

static void forget(struct pairing_value *value, struct pairing_begin **at)
{
    struct pairing_begin *one = *at;
    *at = one->next;
    value->count--;
    free(one);
}

static void begin(struct pairing *pairing, size_t i, const struct bytes *key,
                  const struct event *event, uint64_t number)
{
    struct pair *pair = &pairing->pairs->list[i];
    uint64_t hash = key_table_hash(key);
    struct pairing_value *value = (void *)*key_table_find(&pairing->open, key, hash);
    struct pairing_begin *one = memory_zeroed(1, sizeof *one), **before;
    if (!value)
        value = key_table_add(&pairing->open, key, hash);
    pair->begins++;
    if ((before = find_alone(value, event->pid))) {
        pair->overlaps++;
        if (pairing_frame(pair, event))
            forget(value, before); /* its frame is gone, so it has ended */
        else
            (*before)->overlaps = true;
    }
    *one =
        (struct pairing_begin){value->begins, number, event->time, event->pid, event->tid, false};
    value->begins = one;
    if (++value->count > MOST_BEGINS) {
        struct pairing_begin **at = &value->begins;
        while ((*at)->next)
            at = &(*at)->next;
        forget(value, at);
    }
}

/* Where the begin of an end in process PID is: one that does not overlap rather than others, one of
 * this process rather than others, the latest rather than others. NULL: there is none. */
static struct pairing_begin **choose(struct pairing_value *value, uint32_t pid)
{
    struct pairing_begin **best = NULL;
    int most = -1;
    for (struct pairing_begin **at = &value->begins; *at; at = &(*at)->next) {
        bool is_own = (*at)->pid == pid;
        int rank = (*at)->overlaps ? (is_own ? 0 : -1) : is_own ? 2 : 1;
        if (rank > most) {
            most = rank;
            best = at;
        }
    }
    return best;
}

static void end(struct pairing *pairing, const struct bytes *key, uint32_t pid,
                struct paired *paired)
{
    struct keyed **at = key_table_find(&pairing->open, key, key_table_hash(key));
    struct pairing_value *value = (void *)*at;
    struct pairing_begin **chosen = value ? choose(value, pid) : NULL;
    if (!chosen)
        return;
    struct pairing_begin *one = *chosen;
    *paired = (struct paired){paired->kind, paired->pair, true,     one->overlaps,
                              one->number,  one->time,    one->pid, one->tid};
    forget(value, chosen);
    if (!value->begins)
        key_table_remove(&pairing->open, at);
}

struct paired pairing_take(struct pairing *pairing, const struct event *event, uint64_t number)
{
    const struct role *role =
        pairs_role(pairing->pairs, event->recording, event->trace, event->class);
    struct paired paired = {.kind = role->kind, .pair = role->pair};
    struct bytes key = {0};
    if (role->kind == ROLE_NONE)
        return paired;
    const struct pair *pair = &pairing->pairs->list[role->pair];
    if (!filter_passes(&pair->predicate[role->kind == ROLE_END], event) ||
        !make_key(&key, pairing->pairs, role->pair, event))
        paired.kind = ROLE_NONE;
    else if (role->kind == ROLE_BEGIN)
        begin(pairing, role->pair, &key, event, number);
    else
        end(pairing, &key, event->pid, &paired);
    bytes_free(&key);
    return paired;
}

void pairing_start(struct pairing *pairing, struct pairs *pairs)
{
    *pairing = (struct pairing){.pairs = pairs};
    key_table_start(&pairing->open, sizeof(struct pairing_value));
    for (size_t i = 0; i < pairs->count; i++)
        pairs->list[i].begins = pairs->list[i].overlaps = 0;
}

static void forget_all(void *entry)
{
    struct pairing_value *value = entry;
    while (value->begins)
        forget(value, &value->begins);
}

void pairing_end(struct pairing *pairing)
{
    key_table_end(&pairing->open, forget_all);
    *pairing = (struct pairing){0};
}
