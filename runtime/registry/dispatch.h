/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From a hit to the handlers: the lists of handlers, and what runs when a probe is executed.
 */
#ifndef SDT_DISPATCH_H
#define SDT_DISPATCH_H

#include "hit/event.h"

struct chosen;

/* One handler of one probe. */
struct handler {
    int id; /* of the subscription */
    sdt_handler *call;
    void *data;
    bool is_general;             /* it promised to leave vector registers alone */
    const struct chosen *chosen; /* NULL: every site of the probe */
    const atomic_bool *ended;    /* the subscription was ended inside a handler */
};

/*
 * Handlers of PROBE, locked. Both publish a changed copy and leave the old list as garbage, to be
 * freed after a grace period. What HANDLER has chosen is copied. 0 or -ENOMEM (nothing changed).
 */
int dispatch_add(struct probe *probe, const struct handler *handler);
int dispatch_remove(struct probe *probe, int id);
void *dispatch_take_garbage(void); /* locked */
void dispatch_free_garbage(void *taken);
/* The object of PROBE leaves: hits that come still do nothing. Locked. */
void dispatch_leave(struct probe *probe);
/* All handlers of PROBE and its counters, a grace period after that. */
void dispatch_free(struct probe *probe);

/* What trampolines and entries call: for a hit whose vector registers are saved, or dead; and for
 * one in which they are the program's, and only handlers run that leave them alone. */
void dispatch_event(struct sdt_event *event);
void dispatch_general(struct sdt_event *event);

#endif
