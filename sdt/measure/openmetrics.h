/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts and histograms in OpenMetrics' text format 1.0, for the collector of a monitoring system:
 * a family of metrics, its samples, and the end. All numbers are totals since the beginning, since
 * that is what a collector expects.
 */
#ifndef SDT_OPENMETRICS_H
#define SDT_OPENMETRICS_H

#include "aggregate.h"
#include "base/slice.h"
#include "exemplars.h"

enum openmetrics_family {
    OPENMETRICS_HITS,    /* sdt_hits */
    OPENMETRICS_VALUES,  /* sdt_value, of `sdt hist` */
    OPENMETRICS_LATENCY, /* sdt_latency_seconds */
};

/* Prometheus' own text format calls a counter by the name of its sample, and has neither units nor
 * an end. */
enum openmetrics_form { OPENMETRICS_1_0, OPENMETRICS_PROMETHEUS };

/* What a sample is of. */
struct openmetrics_labels {
    const char *provider, *name; /* C identifiers */
    const char *program;
    int64_t pid;                       /* 0: of several processes, or of those of a name */
    const char *more;                  /* the expression, or where a latency ends; NULL: of HITS */
    const struct live_key *key;        /* NULL: none */
    const struct key_look *look;       /* of both keys; NULL: they are no arguments */
    const struct exemplars *exemplars; /* NULL: none are shown */
    const char *own; /* more labels, as they are written: `,NAME="VALUE"`; NULL: none */
};

/* What tells a sample's series from all others, for HITS, and for the buckets of others with LE. */
void openmetrics_identity(struct bytes *to, enum openmetrics_family family,
                          const struct openmetrics_labels *labels);
/* VALUE in quotes. */
void openmetrics_quote(struct bytes *to, struct slice value);

void openmetrics_begin(struct bytes *to, enum openmetrics_family family,
                       enum openmetrics_form form);
void openmetrics_count(struct bytes *to, const struct openmetrics_labels *labels, uint64_t count);
void openmetrics_histogram(struct bytes *to, enum openmetrics_family family,
                           const struct openmetrics_labels *labels,
                           const struct aggregate *aggregate, const struct aggregate_row *row);
void openmetrics_end(struct bytes *to, enum openmetrics_form form);

#endif
