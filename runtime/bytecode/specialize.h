/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Making an aggregation of a program that a tool has sent: it is checked, and translated into the
 * form that hits execute (compiled.h). What becomes of it is hit.h's.
 */
#ifndef SDT_BYTECODE_SPECIALIZE_H
#define SDT_BYTECODE_SPECIALIZE_H

#include "exchange/table.h"

struct live_aggregation;

/*
 * All of these in normal context, and live_cpus() and live_aggregation_make() locked (lock.h), as
 * they call counters_start() and fault_guard(). CPUs with rows of their own, for live_table_plan().
 */
uint32_t live_cpus(void);
/*
 * TABLE and LAYOUT may be NULL if the program is only a condition: LIVE_COUNT, without a key.
 *
 * NULL, and *MADE is the caller's; or what is wrong, a sentence, static. The N bytes of PROGRAM are
 * copied before they are checked, so they may change meanwhile. */
const char *live_aggregation_make(struct live_aggregation **made, const void *program, size_t n,
                                  void *table, const struct live_layout *layout);
void live_aggregation_free(struct live_aggregation *aggregation);
/* In the child of a fork, which goes on with it: its process ID is another. */
void live_aggregation_take_process(struct live_aggregation *aggregation);
/* For LIVE_ENTER and LIVE_LEAVE: where the table's open calls are. Before its first hit. */
struct calls;
void live_aggregation_share_calls(struct live_aggregation *aggregation, struct calls *calls);
/* For LIVE_STOP as a condition (live_decide()): it holds after more than LIMIT nanoseconds. */
void live_aggregation_limit(struct live_aggregation *aggregation, uint64_t limit);

#endif
