/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When `sdt record --when` takes a snapshot:
 *
 *     PATTERN [/PREDICATE/]                                    a hit for which that holds
 *     lat BEGIN [/P/] END [/P/] [match EXPRESSION] > 10ms      a latency that is longer
 *
 * Parsing it is pure; the result is sent to a process that is already recording.
 */
#ifndef SDT_WHEN_H
#define SDT_WHEN_H

#include "command/clauses.h"
#include "probes.h"
#include "target/target.h"

struct when {
    bool is_latency;
    struct clauses clauses;
    uint64_t limit; /* ns */
    char *pair;     /* of a latency: its words without the limit */
};

/* What one process was asked for. */
struct when_asked {
    const struct when *when;
    struct target *target;
    struct attached *process;            /* one of its */
    struct record_probes probes;         /* of what is not a latency */
    uint64_t table;                      /* 0: none yet */
    int file;                            /* its memory; -1: none */
    struct site_arguments *arguments[2]; /* of a site of each end; NULL: not known yet */
    char **enabled[2];                   /* patterns of BEGIN and END asked for */
    size_t count[2];
    uint64_t generation;
    bool has_looked;
};

/* NULL if TEXT is that; else what is wrong with it, a sentence. */
const char *when_parse(struct when *when, const char *text);
void when_free(struct when *when);
/* Ask the process of ASKED for what is new since the last time; a status. */
int when_look(struct when_asked *asked);
/* Add to *RESTARTED and *EVICTED how many begins had another after them before they ended, and how
 * many were given up since too many were open. */
void when_count(const struct when_asked *asked, uint64_t *restarted, uint64_t *evicted);
/* Warn of so many; ASKED is one process. */
void when_warn(const struct when_asked *asked, uint64_t restarted, uint64_t evicted);
void when_asked_free(struct when_asked *asked);

#endif
