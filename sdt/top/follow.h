/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt top --follow: of a process and the children that it forks, or of several. They add to tables
 * (count_shared.h), as the words that normally count are not shared with children.
 */
#ifndef SDT_TOP_FOLLOW_H
#define SDT_TOP_FOLLOW_H

#include "state.h"

/* -1: after a message. */
int top_follow_begin(struct top *top);
/* List probes that are new, also of new processes, and count them if probes are being counted. -1:
 * after a message. */
int top_follow_learn(struct top *top);
/* Have all processes do what the switches say. -1: after a message. */
int top_follow_obey(struct top *top);
/* Read the hits, and see how many processes there are. */
void top_follow_read(struct top *top);
void top_follow_free(struct top *top);

#endif
