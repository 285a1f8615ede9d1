/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What messages say of the clocks of several machines. Pure.
 *
 * A message takes more than no time. By the recorded clocks it takes that and what the receiver's
 * clock is ahead of the sender's. So the fastest message from A to B says how far B is ahead of A
 * at most, and the fastest one from B to A how far at least: the estimate is the middle, and the
 * error not more than half of what is between (Cristian 1989; NTP does the same with one exchange).
 * With more than two machines each such limit may follow from several messages, from one machine to
 * the next: these are shortest paths.
 *
 * Clocks are fixed one after the other, those known best first, and each within what the fixed ones
 * leave. So no message arrives before it was sent, which the middles by themselves do not ensure.
 */
#ifndef SDT_OFFSETS_H
#define SDT_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OFFSET_UNKNOWN INT64_MAX

struct offset {
    int64_t ahead;     /* of machine 0's clock, in ns: the estimate */
    int64_t low, high; /* by messages; -OFFSET_UNKNOWN, OFFSET_UNKNOWN: these say nothing */
};

struct offsets {
    size_t count;
    int64_t *most; /* [a * count + b]: so far is b ahead of a at most */
};

void offsets_start(struct offsets *offsets, size_t count);
void offsets_free(struct offsets *offsets);
/* By a message, B is at most NS ahead of A. */
void offsets_limit(struct offsets *offsets, size_t a, size_t b, int64_t ns);
/* False: the limits contradict each other, around machine *WHERE. */
bool offsets_solve(struct offsets *offsets, struct offset *found, size_t *where);

#endif
