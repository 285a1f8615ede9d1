/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt hist, sdt lat, and sdt count of conditions and keys: what is asked for. */
#ifndef SDT_MEASURED_COMMAND_H
#define SDT_MEASURED_COMMAND_H

#include "histogram.h"
#include "measure.h"
#include "metrics_file.h"
#include "target/schedule.h"

/* One of the three. */
struct kind {
    const char *command, *usage, *letters;
    enum live_action action;
    struct clauses_form form;
};

struct measured {
    const struct kind *kind;
    struct target target;
    struct measure_request request;
    struct measure measure;
    struct histogram_style style;
    struct schedule schedule;
    size_t most;   /* keys that are printed; 0: all */
    bool has_most; /* so it was asked for, also with --json */
    int outliers;  /* -1: as many as is usual */
    bool is_json, is_openmetrics, has_exemplars;
    const char *otlp;       /* the URL of a receiver; NULL: none */
    struct otlp_live *live; /* the way to it */
    int64_t start;          /* in ns since 1970 */
    struct metrics_file metrics;
    struct bytes exposition; /* while it is composed */
    bool is_sum;             /* of functions: one count, and not one for each */
    bool has_histograms;     /* of a latency by key: instead of the table */
    const char *description; /* file of --describe; NULL: none */
};

static inline bool measured_is_latency(const struct measured *command)
{
    return command->request.action == LIVE_STOP;
}

#endif
