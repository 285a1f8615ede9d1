/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Slices for viewers in which those of a thread are nested: each ends before the one that it began
 * in. Those of an event loop are not, and which they are is known at their ends only; so the
 * recording is read twice. A slice that ends after the one that it began in gets a track of its
 * own.
 */
#ifndef SDT_NESTED_H
#define SDT_NESTED_H

#include "event_set.h"
#include "pairing.h"
#include "tracks.h"

/* What an event is on the line of its thread; MARK_CLOSE ends a slice whose own end is missing. */
enum mark { MARK_INSTANT, MARK_BEGIN, MARK_END, MARK_CLOSE };

/* How slices are shown. DATA is the nested's. */
struct nested_marks {
    void (*mark)(void *data, const struct event *event, enum mark mark, const char *name);
    /* Begin or end of NAME, on a track of its own; ID distinguishes it from others of that name. */
    void (*alone)(void *data, const struct event *event, enum mark mark, const char *name,
                  struct slice id);
};

struct nested {
    const struct nested_marks *marks;
    void *data;
    struct event_set loose; /* these begin a slice that gets a track of its own */
    struct event_set ended; /* these begin a slice whose end is there */
    struct tracks threads;  /* with what is open in them */
};

/* The first pass over EVENT, which has that NUMBER. */
void nested_look(struct nested *nested, const struct pairs *pairs, const struct event *event,
                 const struct paired *paired, uint64_t number);
/* Before the second. */
void nested_again(struct nested *nested);
/* Show EVENT, which begins or ends a slice. */
void nested_show(struct nested *nested, const struct pairs *pairs, const struct event *event,
                 const struct paired *paired, uint64_t number);
void nested_free(struct nested *nested);

#endif
