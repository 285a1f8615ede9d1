/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What has begun and not ended: its keys and its place in the tree, by the number of the begin. Of
 * more than OPEN_PAIRS the older half is forgotten, so that begins without an end cost no memory.
 */
#ifndef SDT_DIFF_OPEN_PAIRS_H
#define SDT_DIFF_OPEN_PAIRS_H

#include "keys.h"
#include "nest.h"
#include "report/key_table.h"
#include "report/tracks.h"

enum { OPEN_PAIRS = 1 << 18 };

struct open_pair {
    struct keyed keyed;
    uint64_t number; /* of the begin, from 1 */
    uint64_t frame;  /* of a call; 0: it has none */
    uint32_t subject, node;
    struct keys keys;
};

struct open_pairs {
    struct key_table table;
    uint64_t count;        /* of begins */
    struct tracks threads; /* with what is open in each */
};

void open_pairs_start(struct open_pairs *open);
void open_pairs_end(struct open_pairs *open);
/* One more begin of SUBJECT, in the thread of EVENT, with PAIR's frame if it is a call; without
 * parent and children, if its end may be in another thread. Valid until the next begin. */
struct open_pair *open_pairs_begin(struct open_pairs *open, const struct event *event,
                                   uint32_t subject, const struct pair *pair, struct nest *tree);
/* The begin of that NUMBER, in thread TID of PROCESS (trace_task()), ends, and what is open inside
 * it ends as well; NULL: it was too long ago. To be closed. */
struct open_pair *open_pairs_take(struct open_pairs *open, uint32_t process, uint32_t tid,
                                  uint64_t number);
void open_pairs_close(struct open_pairs *open, struct open_pair *one);

#endif
