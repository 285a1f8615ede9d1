/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables that sessions have requested (table.h), and the aggregations that add to them. Only
 * the listener calls this.
 */
#ifndef SDT_CONTROL_TABLES_H
#define SDT_CONTROL_TABLES_H

#include "exchange/page.h"

#include <process/handle.h>
#include <stdbool.h>

struct live_aggregation;

/*
 * Make a table for SESSION, from the SIZE bytes at SPEC, which are not trusted. Its number, and
 * *FILE is a memfd that holds it, kept here; or an error, and *WHY is a sentence.
 */
int tables_make(uint64_t session, const void *spec, size_t size, struct handle *file,
                const char **why);

/* An aggregation of PROGRAM, SIZE bytes that are not trusted, that adds to table NUMBER of SESSION.
 * 0, or an error, and *WHY is a sentence. */
int tables_aggregate(uint64_t session, uint64_t number, const void *program, size_t size,
                     struct live_aggregation **aggregation, const char **why);

/* The same of a program that is a condition (live_decide()); NUMBER may be 0: it needs no table. */
int tables_condition(uint64_t session, uint64_t number, const void *program, size_t size,
                     struct live_aggregation **condition, const char **why);

/* Give up the tables of SESSION; of all, if it is 0. No aggregation adds to them any more. */
void tables_end(uint64_t session);

/* In the child of a fork: they are the parent's, but for those of which IS_KEPT(session). The
 * others are given up by tables_end_orphans(), as a hit may have been interrupted by the fork. */
void tables_after_fork_child(bool (*is_kept)(uint64_t session));
void tables_end_orphans(void);
/* Whether there is any table. */
bool tables_any(void);

#endif
