/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which end belongs to which begin: the same rule for all that is shown of a recording, and that of
 * `sdt lat` (runtime/bytecode/in_flight.h).
 *
 * An end belongs to the latest begin of its pair with the same value that has no end yet; the value
 * is the thread, or that of the pair's expression. Begins of the end's own process come first, then
 * those of processes that share its trace: children that it has forked, and its parents.
 *
 * A begin that another one of the same value and process follows before its end *overlaps*: whether
 * these are nested, or one thread has several open at once, is unknown. It counts in no latency,
 * which `sdt lat` cannot do either; the next end that no other begin takes is shown as its end.
 */
#ifndef SDT_PAIRING_H
#define SDT_PAIRING_H

#include "key_table.h"
#include "pairs.h"

struct pairing {
    struct pairs *pairs;
    struct key_table open;
};

/* What an event is. */
struct paired {
    enum role_kind
        kind; /* ROLE_NONE: it is in no pair, or has no value, or its predicate is false */
    size_t pair;
    /* Of an end: its begin. */
    bool has_begin, overlaps;
    uint64_t number;
    int64_t time;
    uint32_t pid, tid;
};

/* Append to KEY the value of PAIR's expression, that EVENT has. False: it has none, or PAIR has no
 * expression, or is of calls of functions, whose frame the calls in them do not share. */
bool pairing_value(struct bytes *key, const struct pair *pair, const struct event *event);

/* The stack pointer of a call: of no other one in its thread that lasts. 0: EVENT has none, as
 * those of -finstrument-functions. */
uint64_t pairing_frame(const struct pair *pair, const struct event *event);

void pairing_start(struct pairing *pairing, struct pairs *pairs);
/* EVENT is the next one, and has that NUMBER. */
struct paired pairing_take(struct pairing *pairing, const struct event *event, uint64_t number);
void pairing_end(struct pairing *pairing);

#endif
