/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts and histograms as metrics of OpenTelemetry: sdt.hits is a sum, sdt.value and sdt.latency
 * are exponential histograms. All are totals since the beginning, so that the next request makes up
 * for one that was lost. A request has scopes, these have metrics, and these have data points.
 */
#ifndef SDT_OTLP_POINTS_H
#define SDT_OTLP_POINTS_H

#include "aggregate.h"
#include "exemplars.h"
#include "otlp/message.h"

#include <exchange/program.h>
#include <sys/types.h>

/* What data points are of. */
struct otlp_points {
    enum live_action action;     /* LIVE_COUNT, LIVE_HIST, LIVE_STOP */
    const char *provider, *name; /* C identifiers */
    const char *more;            /* the expression, or where a latency ends; NULL: of a count */
    const struct key_look *look; /* of both keys */
    struct exemplars *exemplars; /* those that were not sent yet are; NULL: none are wanted */
    char *const *own;            /* more attributes, each NAME=VALUE, and NULL; NULL: none */
    int64_t start;               /* in ns since 1970 */
};

/* One for each key of AGGREGATE; returns how many. */
uint64_t otlp_points_append(const struct otlp *otlp, const struct otlp_points *points,
                            const struct aggregate *aggregate);

/* A metric, and its end, which needs what the beginning has returned. */
struct otlp_metric {
    bool is_sum;
    size_t metric, data;
};
struct otlp_metric otlp_metric_begin(const struct otlp *otlp, enum live_action action);
void otlp_metric_end(const struct otlp *otlp, struct otlp_metric open);

/* The same of a program on this host; PID 0: several processes. */
struct otlp_scope {
    size_t resource, scope;
};
struct otlp_scope otlp_scope_begin(const struct otlp *otlp, const char *program, pid_t pid);
void otlp_scope_end(const struct otlp *otlp, struct otlp_scope open);

#endif
