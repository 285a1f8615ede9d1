/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef COUNTER_H
#define COUNTER_H

/* A counter where tickets are sold. Any thread may sell. */
struct counter {
    const char *town;
    int left;
};

/* Sell COUNT tickets to BUYER. Returns what is left, or -1 if there are not so many. */
int counter_sell(struct counter *counter, const char *buyer, int count);

#endif
