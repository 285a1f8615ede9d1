/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The observer: what one adds to a program to trace it from inside. It uses nothing of the program
 * but the names and arguments of its probes.
 */
#ifndef DEMO_WATCH_H
#define DEMO_WATCH_H

#include <stdint.h>

/* Every probe of these providers is watched. */
#define WATCHED "orders,sqlite"

void watch_start(void);
void watch_stop(void);

/* Executions seen by the counting subscription, of all watched probes. */
uint64_t watch_hits(void);

/* Draw what was seen: counts, a table of the queries, histograms. */
void watch_report(void);

#endif
