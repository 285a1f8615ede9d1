/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the option --match says of several processes:
 *
 *     KEY                                          an expression: events with the same value are of
 *                                                  one request, whatever process they are of
 *     SEND [/PREDICATE/] RECEIVE [/PREDICATE/] by KEY   a message: what two machines' clocks are
 *                                                  compared by; between the two probes a comma will
 *                                                  do
 */
#ifndef SDT_MATCH_H
#define SDT_MATCH_H

#include "command/clauses.h"
#include "filter.h"

enum message_side { SIDE_NONE, SIDE_SEND, SIDE_RECEIVE };

struct message_kind {
    char *text; /* as the user wrote it */
    struct clauses clauses;
    struct filter predicate[2], key;
    enum message_side **sides; /* of each trace, one for each class */
};

struct match {
    const char *key_text; /* NULL: none */
    struct filter key;
    struct message_kind *kinds;
    size_t kind_count, trace_count;
};

/* Reports what is wrong with TEXT. */
int match_add(struct match *match, const char *text);
/* Reports probes and names that no event of RECORDING has. */
int match_resolve(struct match *match, const struct recording *recording);
void match_free(struct match *match);

/* Append to KEY what distinguishes the request of EVENT from others; false: it is of none. */
bool match_request(struct bytes *key, const struct match *match, const struct event *event);
/* Append to KEY what distinguishes VALUE from others; false: it is none. */
bool match_value(struct bytes *key, const struct term *value);

#endif
