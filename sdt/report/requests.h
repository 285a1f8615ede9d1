/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that cross processes: events that have the same value of the key of --match, whatever
 * process they are of. A request lasts from the first to the last of them, and has a part for each
 * process, likewise. Memory grows with the number of requests, up to a limit; events of those
 * beyond it are counted.
 */
#ifndef SDT_REQUESTS_H
#define SDT_REQUESTS_H

#include "base/texts.h"
#include "match.h"

enum { REQUESTS_SHOWN = 1000 };

struct request_part {
    struct request_part *next; /* which began later */
    const struct trace *trace;
    uint32_t process, pid; /* its number among all, and its own */
    int64_t first, last;
    uint64_t events;
};

struct request {
    char *key; /* as text */
    int64_t first, last;
    struct request_part *parts;
    size_t part_count;
};

struct requests {
    struct texts keys; /* numbered as the list is */
    struct request *list;
    size_t count, capacity;
    uint64_t left_out; /* events */
};

/* EVENT is the next one, in order of time. Nothing happens if MATCH has no key. */
void requests_take(struct requests *requests, const struct match *match, const struct event *event);
/* The slowest ones, at most MOST, by when they began. Their number is *COUNT; the caller's. */
const struct request **requests_slowest(const struct requests *requests, size_t most,
                                        size_t *count);
/* Tell of events that were left out, if there are any. */
void requests_tell(const struct requests *requests);
void requests_free(struct requests *requests);

#endif
