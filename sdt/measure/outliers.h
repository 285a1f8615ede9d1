/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The slowest measurements of a latency, with the arguments of their hits
 * (runtime/bytecode/outlier.h), from the process's table. Nothing in it is trusted: numbers of
 * programs and lengths are checked, texts are escaped.
 */
#ifndef SDT_OUTLIERS_H
#define SDT_OUTLIERS_H

#include "compile/site_arguments.h"
#include "histogram.h"

#include <exchange/layout.h>

/* A program that was sent: of its number, the label. */
struct outlier_probe {
    char *provider, *name; /* C identifiers */
    const struct site_arguments *arguments;
    uint64_t kept;
    unsigned which; /* 1: it ends a latency */
};

/* The one that SIDE is a hit of; one without anything: it is none of these. */
const struct outlier_probe *outlier_probe_of(const struct outlier_probe *probes, size_t count,
                                             const struct live_side *side);

struct outliers {
    struct live_outlier *list; /* the slowest first */
    size_t count;
    int64_t realtime; /* to be added to their times, for CLOCK_REALTIME */
    const struct outlier_probe *probes;
    size_t probe_count;
};

/* The MOST slowest of a table. The list is the caller's to free. */
struct outliers outliers_read(const struct live_view *view, size_t most);
/* Add those of a table to OUTLIERS, and keep the MOST slowest. All zero: there are none yet. */
void outliers_add(struct outliers *outliers, const struct live_view *view, size_t most);
/* Remove those that are in BEFORE, an earlier reading. */
void outliers_subtract(struct outliers *now, const struct outliers *before);

/* For people, two lines each, and for scripts, an object a line: sdt-lat(1). */
void outliers_text(struct bytes *to, const struct outliers *outliers);
void outliers_json(struct bytes *to, const struct outliers *outliers);

#endif
