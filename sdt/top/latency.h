/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt top: latencies beside the hits. */
#ifndef SDT_TOP_LATENCY_H
#define SDT_TOP_LATENCY_H

#include "state.h"

/* Start or stop measuring latencies, of probes whose names make them a pair (pairs.h). -1: after a
 * message. */
int top_switch_latencies(struct top *top);
void top_show_latencies(struct top *top);
void top_free_latencies(struct top *top);

#endif
