/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt top: latencies beside the hits. */
#ifndef SDT_TOP_LATENCY_H
#define SDT_TOP_LATENCY_H

#include "top_state.h"

/* Measure latencies, of probes whose names say that they belong together; or no more. -1: after a
 * message. */
int top_switch_latencies(struct top *top);
void top_show_latencies(struct top *top);
void top_free_latencies(struct top *top);

#endif
