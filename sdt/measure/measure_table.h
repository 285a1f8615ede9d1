/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables that traced processes add to (measure.h), as they are mapped here. */
#ifndef SDT_MEASURE_TABLE_H
#define SDT_MEASURE_TABLE_H

#include "aggregate.h"
#include "compile/key_look.h"
#include "exemplars.h"
#include "target/attach.h"

/* A table of one process. */
struct measure_part {
    const struct attached *process; /* only for comparison: it may have ended */
    uint64_t number;                /* there */
    struct live_view view;          /* mapped */
    size_t size;
    uint64_t *exemplar_tags; /* of each place, when it was last read */
};

/* Have PROCESS make a table, and map it. -1: after a message. */
int measure_part_make(struct measure_part *part, struct attached *process,
                      const struct live_table_spec *spec);
void measure_part_end(struct measure_part *part);

/* The tables, one of each process, of one probe; of a latency, of all. */
struct measure_table {
    char *provider, *name; /* C identifiers; of a latency, where it begins */
    struct measure_part *parts;
    size_t part_count;
    struct key_look look[2]; /* of keys */
    struct live_table_spec spec;
    struct aggregate last; /* when it was last printed */
    struct outliers last_outliers;
    struct exemplars exemplars;
    /* Of a latency, before both of its probes were enabled: */
    uint64_t unmatched, restarted;
};

/* The part of PROCESS, which is made if there is none; NULL: after a message. */
struct measure_part *measure_part_for(struct measure_table *table, struct attached *process);
/* Read TABLE, of all processes, as of now. */
void measure_read(struct aggregate *aggregate, const struct measure_table *table);
/* Add what has come to its exemplars; PROBES are those that were compiled for. */
void measure_read_exemplars(struct measure_table *table, const struct outlier_probe *probes,
                            size_t probe_count);

#endif
