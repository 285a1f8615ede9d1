/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How often events come, one stretch of time after the other: in each recording, if there are many,
 * else in each slice of the one.
 *
 * A loop that waits for its requests has fewer of them a second when they take longer, or when the
 * machine is busy. So events are also held against all others of the same stretch: what has another
 * share in them comes more or less often for a reason of its own.
 */
#ifndef SDT_DIFF_PACE_H
#define SDT_DIFF_PACE_H

#include "collect.h"

struct pace {
    bool is_by_recording;
    size_t count[2];                /* of stretches */
    double *seconds[2], *events[2]; /* of each */
    double all[2];                  /* events, at least 1 */
};

void pace_make(struct pace *pace, const struct groups *groups, const struct side sides[2],
               bool is_by_recording);
void pace_free(struct pace *pace);

/* The probability of a difference that is at least as large if there is none: of how often events
 * of GROUP come, or of their share in all. NAN: it is too short. */
double pace_test(const struct pace *pace, const struct group *group, bool is_share);

#endif
