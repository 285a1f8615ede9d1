/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The events of one side, A or B, put into groups, and its pairs into the tree. Recordings are read
 * once, one after the other, and what is kept are 8 bytes for each pair and each of its keys.
 */
#ifndef SDT_DIFF_COLLECT_H
#define SDT_DIFF_COLLECT_H

#include "asked.h"
#include "groups.h"
#include "nest.h"
#include "sets.h"

/* What was read of a side. */
struct side {
    const char *directory; /* as given */
    size_t recordings;
    uint64_t events, pairs;
    uint64_t evicted, lost;
    int64_t *durations; /* ns, of each recording */
    bool is_damaged;
};

/* 0, or -1 after a message. */
int collect_side(struct side *side, unsigned which, const struct set *set,
                 const struct asked *options, struct groups *groups, struct nest *tree);
void side_free(struct side *side);
/* ns of all recordings. */
int64_t side_duration(const struct side *side);

#endif
