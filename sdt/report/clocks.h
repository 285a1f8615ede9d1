/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The clocks of several machines: how far each is ahead, how that is known, and times put right.
 *
 * Times are shown by the clock of the first machine. Where messages are named (match.h), others are
 * shifted by what these say (offsets.h). Otherwise all times are shown as recorded; two clocks then
 * differ by what both kernels say of theirs at most (machines.h), or nobody knows how much.
 */
#ifndef SDT_CLOCKS_H
#define SDT_CLOCKS_H

#include "messages.h"
#include "offsets.h"

enum clock_how { CLOCK_FIRST, CLOCK_BY_MESSAGES, CLOCK_ONE_WAY, CLOCK_AS_RECORDED };

struct clock {
    enum clock_how how;
    int64_t ahead; /* of the first machine's, as recorded: its times are shown so much earlier */
    int64_t error; /* of that at most; -1: unknown */
    uint64_t to, from; /* messages of other machines that it received, and that it sent */
};

struct clocks {
    struct clock *list; /* of each machine */
    size_t count;
    struct messages messages;
};

/* Find them, and shift the times of RECORDING. Reports messages that contradict each other. */
int clocks_align(struct clocks *clocks, const struct match *match, struct recording *recording);
/* Say on standard error what was done, if there are several machines. */
void clocks_tell(const struct clocks *clocks, const struct recording *recording);
/* How the clock of machine I is known: "by 40 messages to it and 40 from it". The caller's. */
char *clocks_how(const struct clocks *clocks, size_t i);
/* Warn of recordings that overlap with no other one in time. All events were read. */
void clocks_warn_apart(const struct recording *recording);
void clocks_free(struct clocks *clocks);

#endif
