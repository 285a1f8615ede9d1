/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt top: what its parts share. top.c is the command, top_latency.c the latencies. */
#ifndef SDT_TOP_H
#define SDT_TOP_H

#include "count_rows.h"
#include "measure.h"
#include "target.h"
#include "top_follow.h"
#include "top_screen.h"

enum { TOP_MAX_PAIRS = 32 };

struct top_pair; /* in top_latency.c */

struct top {
    struct target target;
    char *pattern, *resolved; /* as given; as the process understands it */
    double interval, last;    /* seconds; when the hits were last read */
    bool starts_off;
    struct count_rows rows;
    struct top_model model;
    struct top_view view;
    char title[128], note[128];
    struct top_switch { /* what is counted for us */
        char *label, *pattern;
        uint64_t id; /* 0: it is off */
    } * switches;
    size_t switch_count;
    struct top_follow follow; /* if the target follows */
    struct top_pair *pairs[TOP_MAX_PAIRS];
    size_t pair_count;
};

/* SITE is there: its row, and its switch, which is off if it is new. */
struct live_site;
void top_learn_site(struct top *top, const struct live_site *site);
/* Say TEXT on the screen. */
void top_note(struct top *top, const char *text);

/* Measure latencies, of probes whose names say that they belong together; or no more. -1: after a
 * message. */
int top_switch_latencies(struct top *top);
void top_show_latencies(struct top *top);
void top_free_latencies(struct top *top);

#endif
