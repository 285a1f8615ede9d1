/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt top: latencies beside the hits. */
#ifndef SDT_TOP_LATENCY_H
#define SDT_TOP_LATENCY_H

#include "state.h"

/* Add what --pair says. A status, after a message if it is not 0. */
int top_add_pair(struct top *top, const char *text);
/* Start or stop measuring latencies: of such pairs, and of probes whose names make them a pair
 * (pair_names.h). -1: after a message. */
int top_switch_latencies(struct top *top);
void top_show_latencies(struct top *top);
void top_free_latencies(struct top *top);

#endif
