/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt top: what its parts share, and which probes can be counted. */
#ifndef SDT_TOP_STATE_H
#define SDT_TOP_STATE_H

#include "command/clauses.h"
#include "measure/count_rows.h"
#include "measure/count_shared.h"
#include "screen.h"
#include "target/target.h"
#include "tree/calls.h"

enum { TOP_MAX_PAIRS = 32 };

struct top_pair; /* in latency.c */

/* What one process was asked for. */
struct top_process {
    uint64_t table;      /* 0: nothing yet */
    uint64_t generation; /* of its page and 1, when its probes were listed */
    uint64_t *ids;       /* of each switch; 0: it is off there */
    size_t id_count;
};

struct top_follow {
    struct count_shared shared;
    struct top_process *processes; /* of the target */
    size_t count;
    size_t watched; /* processes, children included */
};

struct top {
    struct target target;
    char *pattern, *resolved; /* as given; as the process understands it */
    double interval;          /* seconds */
    int64_t last;             /* now(): when the hits were last read; 0: not yet */
    bool starts_off;
    struct count_rows rows;
    struct top_model model;
    struct top_view view;
    char title[128], note[128], doubt[256];
    struct top_switch { /* what is counted for us */
        char *label, *pattern;
        char *function; /* of its sites; NULL: several */
        uint64_t id;    /* 0: it is off */
    } * switches;
    size_t switch_count;
    struct top_follow follow; /* if top_is_shared() */
    struct calls calls;       /* --functions, of which `model` knows */
    struct clauses *wanted;   /* --pair */
    size_t wanted_count;
    struct top_pair *pairs[TOP_MAX_PAIRS];
    size_t pair_count;
};

/* Whether several processes are traced, now or later: they add to tables (follow.h). */
static inline bool top_is_shared(const struct top *top)
{
    return top->target.follows || target_count(&top->target) > 1;
}

/* The switch of LABEL; NULL: there is none. */
struct top_switch *top_switch_of(struct top *top, const char *label);
/* SITE is there: its row, and its switch, which is off if it is new. */
struct live_site;
void top_learn_site(struct top *top, const struct live_site *site);
/* Say TEXT on the screen. */
void top_note(struct top *top, const char *text);

#endif
