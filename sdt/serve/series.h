/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The totals of a rule: of each probe, over all its processes, those included that have ended. A
 * process that ends leaves its counts here, so that a counter does not fall when a service starts
 * again; its table goes.
 */
#ifndef SDT_SERIES_H
#define SDT_SERIES_H

#include "measure/measure_table.h"

/* One probe; of a latency, where it begins. */
struct total {
    char *provider, *name; /* C identifiers */
    struct key_look look[2];
    struct arena labels;         /* that LOOK has: those of a process go with it */
    struct live_table_spec form; /* others cannot be added to it */
    int64_t youngest;            /* now(): when a process with this form has last come */
    struct aggregate past;       /* of processes that have ended */
    struct aggregate now;        /* while it is read: of all */
    struct exemplars exemplars;  /* of all, those that have ended included */
};

/* Processes that are one series. */
struct group {
    char *program;
    pid_t pid;     /* 0: all of that program */
    int64_t start; /* since 1970: when it began */
    int64_t ended; /* now(): when its process has ended; 0: it has not */
    struct total *totals;
    size_t count;
};

/* Hits that are in no number, by why. */
enum lost_why { LOST_KEYS, LOST_VALUE, LOST_END, LOST_BEGIN, LOST_OPEN, LOST_REASONS };
struct lost {
    uint64_t hits[LOST_REASONS];
};

struct series {
    struct group *groups;
    size_t count;
    struct lost gone; /* of groups that were forgotten, and of keys that were given up */
};

struct group *series_group(struct series *series, const char *program, pid_t pid);
struct total *series_total(struct group *group, const char *provider, const char *name,
                           const struct key_look *look, const struct live_table_spec *form);
/* Whether total number I is what its probe passes now: no process that is younger passes something
 * of another form, as after a deployment. */
bool series_is_current(const struct group *group, size_t i);
/* Read what is there anew: NOW becomes what was left. What was left of another form is dropped. */
void series_begin(struct series *series);
/* Add what SERIES has lost, as it was read last. */
void series_lost(const struct series *series, struct lost *lost);
/* Forget the groups of processes that ended more than SECONDS ago. */
void series_forget(struct series *series, double seconds);
void series_free(struct series *series);

#endif
