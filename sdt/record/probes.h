/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Additions to a process's recording: probes whose hits are selected by a condition, and hits that
 * take a snapshot. The condition is compiled for the arguments of each probe, and decides in the
 * process.
 */
#ifndef SDT_RECORD_PROBES_H
#define SDT_RECORD_PROBES_H

#include "target/target.h"

struct record_probes {
    struct target *target;
    struct attached *process;        /* one of its */
    const char *pattern, *predicate; /* NULL: all hits */
    bool is_trigger;                 /* takes snapshots */
    bool may_choose_later; /* a condition that cannot be compiled is no error: all hits are recorded
                              then, and left_over says so */
    bool left_over;
    bool has_found; /* a probe that matches */
    char **enabled; /* patterns asked for */
    size_t count;
    uint64_t generation;
    bool has_looked;
};

/* Ask for the probes that are new since the last time; a status. */
int record_probes_look(struct record_probes *probes);
void record_probes_free(struct record_probes *probes);

/* One request of that kind. PROGRAM may be NULL; TABLE 0. LIMIT is in ns. A status. */
struct compiled;
int record_probes_ask(struct attached *process, const char *pattern, const struct compiled *program,
                      uint32_t flags, uint64_t table, uint64_t limit);

#endif
