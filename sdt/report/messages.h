/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages between machines (message_ends.h): the fastest one each way. */
#ifndef SDT_MESSAGES_H
#define SDT_MESSAGES_H

#include "match.h"

/* From one machine to another. */
struct message_link {
    uint64_t count;
    int64_t least; /* time from send to receive, by the clocks as recorded: may be negative */
    int64_t sent;  /* when that one was sent, by its clock, */
    char *key;     /* what its key was, as text, */
    const struct message_kind *kind;
};

struct messages {
    size_t machines;
    struct message_link *links; /* [from * machines + to] */
    uint64_t compared, local;   /* messages between machines, and inside one */
    uint64_t left_over;         /* ends of messages whose other end is not there */
    uint64_t ambiguous;         /* keys */
    uint64_t too_many;          /* ends that were not remembered */
};

/* Read RECORDING once, if MATCH has messages. */
void messages_find(struct messages *messages, const struct match *match,
                   struct recording *recording);
void messages_free(struct messages *messages);

#endif
