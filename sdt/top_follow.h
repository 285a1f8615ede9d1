/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt top --follow: of a process and the children that it forks, or of several. They add to tables
 * (count_shared.h), as the words that normally count are not shared with children.
 */
#ifndef SDT_TOP_FOLLOW_H
#define SDT_TOP_FOLLOW_H

#include "count_shared.h"

struct top;

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

/* -1: after a message. */
int top_follow_begin(struct top *top);
/* List the probes that have come, with those of new processes; they are counted, if that is what we
 * do. The same. */
int top_follow_learn(struct top *top);
/* Have all processes do what the switches say. The same. */
int top_follow_obey(struct top *top);
/* Read the hits, and see how many processes there are. */
void top_follow_read(struct top *top);
void top_follow_free(struct top *top);

#endif
