/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What has begun and not ended: its keys and its place in the tree, by the number of the begin. As
 * many are remembered as in a process that `sdt lat` measures, or more: the place of a begin is
 * taken by the one that is OPEN_PAIRS later, so that begins without an end cost no memory.
 */
#ifndef SDT_DIFF_OPEN_PAIRS_H
#define SDT_DIFF_OPEN_PAIRS_H

#include "keys.h"
#include "nest.h"
#include "report/tracks.h"

enum { OPEN_PAIRS = 1 << 16 };

struct open_pair {
    uint64_t number; /* of the begin, from 1; 0: a free place */
    uint32_t subject, node;
    struct keys keys;
};

struct open_pairs {
    struct open_pair *list;
    uint64_t count;        /* of begins */
    struct tracks threads; /* with what is open in each */
};

void open_pairs_start(struct open_pairs *open);
void open_pairs_end(struct open_pairs *open);
/* One more begin of SUBJECT, in the thread of EVENT; it IS_ALONE, without parent and children, if
 * its end may be in another one. */
struct open_pair *open_pairs_begin(struct open_pairs *open, const struct event *event,
                                   uint32_t subject, bool is_alone, struct nest *tree);
/* The begin of that NUMBER ends, and what is open inside it ends as well; NULL: it was too long
 * ago. Valid until the next begin. */
struct open_pair *open_pairs_take(struct open_pairs *open, uint32_t pid, uint32_t tid,
                                  uint64_t number);

#endif
