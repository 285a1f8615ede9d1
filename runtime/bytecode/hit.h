/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What happens when a probe that has a live aggregation is hit.
 *
 * An aggregation is a program and the table that it adds to; a subscription with
 * SUBSCRIBE_GENERAL_REGS whose handler is live_hit and whose data is the aggregation makes it run:
 *
 *     struct live_layout layout;
 *     live_table_plan(&layout, &spec, live_cpus());          spec: as the tool asks
 *     memory = … layout.size bytes of a memfd, zeros …
 *     live_table_make(memory, &layout);
 *     live_aggregation_make(&aggregation, program, n, memory, &layout)     NULL: done
 *     id = subscribe(pattern, …, live_hit, aggregation,
 *                    SDT_MODE_AUTO | SUBSCRIBE_GENERAL_REGS, …);
 *     …
 *     unsubscribe(id);                                       no thread is in the handler any more
 *     live_aggregation_free(aggregation);
 *     munmap(memory, layout.size);                           when no aggregation uses it any more
 *
 * LAYOUT must be the process's own copy, not the one in the table, which others can write. Several
 * aggregations may add to one table: all probes of a pattern, or LIVE_START and LIVE_STOP of a
 * latency. This can run wherever a probe can be hit: in signal handlers, in malloc. It never waits
 * or allocates, and makes system calls only for LIVE_COMM, and where live_aggregation_make() has
 * found no other way.
 */
#ifndef SDT_BYTECODE_HIT_H
#define SDT_BYTECODE_HIT_H

#include <sdt/runtime.h>
#include <stdbool.h>

struct live_aggregation;

/* Handler, of general registers only; DATA is a struct live_aggregation. */
void live_hit(const struct sdt_event *event, void *data);

/*
 * The program as a condition of CONDITIONAL (ring/conditional.h): it holds if the program comes to
 * its end, and, with LIVE_STOP, more nanoseconds than the limit have passed since what it stops was
 * started. The table is left alone, but for what was started.
 */
struct conditional;
void live_decide(struct conditional *conditional, const struct live_aggregation *aggregation);

/* The function that serves AGGREGATION, which is complete but for that. */
sdt_handler *hit_function(const struct live_aggregation *aggregation);

#endif
