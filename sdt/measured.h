/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt hist, sdt lat, and sdt count of conditions and keys: what is asked for, and printing it. */
#ifndef SDT_MEASURED_H
#define SDT_MEASURED_H

#include "histogram.h"
#include "measure.h"
#include "schedule.h"

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
    size_t most;  /* keys that are printed; 0: all */
    int outliers; /* -1: as many as is usual */
    bool is_json, is_openmetrics;
};

static inline bool measured_is_latency(const struct measured *command)
{
    return command->request.action == LIVE_STOP;
}

/* What was measured since the last time, in measured_print.c. */
void measured_print(struct measured *command);

#endif
