/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What one subscription does to the sites of one object. This is where registry, dispatch and patch
 * meet. Locked, all of it.
 */
#ifndef SDT_SUBSCRIPTION_H
#define SDT_SUBSCRIPTION_H

#include "registry/registry.h"

#include <sdt/runtime.h>

struct pattern;

struct subscription {
    struct subscription *next;
    int id;
    sdt_handler *handler;
    void *data;
    int mode;
    bool is_general;     /* SUBSCRIBE_GENERAL_REGS */
    bool is_tool;        /* made for a tool attached to the process: children end it */
    bool is_outside;     /* for a tool, or SDT_ENABLE: the program knows nothing of it */
    atomic_bool ended;   /* no call may begin any more */
    bool handlers_stuck; /* no memory to take the handlers out: `ended` does it, for ever */
    struct pattern *pattern;
};

/* Whether SITE names a probe that PATTERN matches. */
bool site_matches(const struct site *site, const struct pattern *pattern);

/*
 * Count SUBSCRIPTION in at each site of OBJECT that matches, add its handler, and arm what can be
 * armed. 0 or -ENOMEM: then it is counted in, as subscription_withdraw() expects, and nothing is
 * armed.
 */
int subscription_apply(struct object *object, struct subscription *subscription);
/* Count it out, disarm sites without another user, and take its handler out. */
void subscription_withdraw(struct object *object, struct subscription *subscription);

/* Whether any site that matches is armed; if none is, the first error. */
struct outcome {
    bool has_matched, has_armed;
    int error;
};

/* Add the result of subscription_apply(), which was the last thing done to OBJECT. */
void subscription_outcome(struct object *object, struct outcome *outcome);

#endif
