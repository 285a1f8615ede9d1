/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which receive belongs to which send: the N-th receive of a value to the N-th send of it. As
 * clocks may differ, receives may come before their sends. A value that several processes send
 * before one receives it is ambiguous: it says nothing. Memory grows with what is open; beyond a
 * limit, ends are not remembered.
 */
#ifndef SDT_MESSAGE_ENDS_H
#define SDT_MESSAGE_ENDS_H

#include "key_table.h"
#include "match.h"
#include "otlp_ids.h"

struct message_end {
    struct message_end *next; /* a later one of the same value */
    int64_t time;
    size_t machine;
    uint32_t process;
    const struct otlp_ids *ids; /* of the span in which it was sent, the ends' own; NULL: none */
};

struct message {
    const struct message_kind *kind;
    const struct term *key;
    const struct message_end *send, *receive;
};

struct message_ends {
    const struct match *match;
    void (*visit)(void *data, const struct message *message); /* of which both ends are known */
    void *data;
    struct key_table values;
    uint64_t open;      /* ends that wait for others */
    uint64_t ambiguous; /* keys */
    uint64_t too_many;  /* ends that were not remembered */
};

void message_ends_start(struct message_ends *ends, const struct match *match,
                        void (*visit)(void *data, const struct message *message), void *data);
/* EVENT is the next one; of what is of its SIDE. IDS: of the span that it is in, or NULL. */
void message_ends_take(struct message_ends *ends, const struct event *event, enum message_side side,
                       const struct otlp_ids *ids);
void message_ends_free(struct message_ends *ends);

#endif
