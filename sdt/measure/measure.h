/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs and tables in a traced process: counts by key, histograms, latencies.
 *
 * For each probe that matches, the expressions are compiled for its arguments, and the program is
 * sent to the process, which adds to a table that is mapped here. Probes that appear later (in a
 * library that is loaded) are found by measure_look().
 */
#ifndef SDT_MEASURE_H
#define SDT_MEASURE_H

#include "command/clauses.h"
#include "measure_table.h"
#include "target/target.h"

struct measure_request {
    enum live_action action; /* LIVE_COUNT, LIVE_HIST; LIVE_STOP: a latency, of two patterns */
    struct clauses clauses;
    bool
        by_function; /* without keys in CLAUSES, each function's probes have a count of their own */
    uint32_t keys;   /* of a table, at most; 0: as many as is usual */
    int64_t low;     /* linear histograms, if step is not 0 */
    uint64_t step;
    unsigned outliers;  /* of a latency: the slowest that are shown */
    unsigned exemplars; /* seconds for which one is kept; 0: there are none */
};

struct measure {
    const struct measure_request *request;
    struct target *target;
    struct measure_table *tables;
    size_t count;
    struct measure_probe *probes; /* that were enabled */
    size_t probe_count;
    struct site_arguments *arguments; /* of all sites that were compiled for */
    struct outlier_probe *programs;   /* by label */
    size_t program_count;
    unsigned key_side; /* of a latency: which of the two programs has the key */
    /* Of each process, that of its page when the sites were last listed. */
    uint64_t *generations;
    size_t process_count;
    unsigned failures; /* of processes that came later, which is no error (target_settle()) */
};

/* TEXT is LOW:STEP, of a linear histogram. False: it is not. */
bool measure_take_linear(struct measure_request *request, const char *text);

/* For how many seconds an exemplar is kept, if there is an exposition or a request each INTERVAL
 * seconds; 0: one at the end. IS_SCRAPED: it is read at times that we do not know. */
unsigned measure_exemplar_period(double interval, bool is_scraped);

/* Enable what REQUEST asks for. A status, after a message if it is not 0. */
int measure_begin(struct measure *measure, struct target *target,
                  const struct measure_request *request);
/* Enable probes that have come since, and those of new processes. Returns the same. */
int measure_look(struct measure *measure);
/* The slowest of TABLE. The list is the caller's to free. */
struct outliers measure_outliers(const struct measure *measure, const struct measure_table *table);
/* Add what has come to the exemplars of TABLE, which is one of MEASURE's. */
void measure_look_for_exemplars(const struct measure *measure, struct measure_table *table);
/* What to do if begins of a latency come before the ends of others: a sentence, the caller's; NULL:
 * nothing, they are paired by a value already. */
char *measure_how_to_pair(const struct measure *measure);
void measure_free(struct measure *measure);
/* The I-th probe's id in its process (LIVE_DISABLE). */
uint64_t measure_id(const struct measure *measure, size_t i);
/* Which process that is. */
struct attached *measure_process(const struct measure *measure, size_t i);

#endif
