/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exemplars: of each key and range of values a recent hit, with the ids of the trace that its
 * thread worked for and its arguments. A process keeps a few (runtime/bytecode/exemplar.h); here
 * they are collected from all processes, in the forms in which they are shown.
 */
#ifndef SDT_EXEMPLARS_H
#define SDT_EXEMPLARS_H

#include "aggregate.h"
#include "otlp/schema.h"
#include "outliers.h"

struct exemplar {
    struct live_key key;
    uint64_t range; /* of values; there is one exemplar for each of a key */
    __int128 value; /* of a latency in ns, of a count 1 */
    int64_t time;   /* since 1970, in ns */
    bool has_trace, has_span;
    uint8_t trace[OTLP_TRACE_SIZE], span[OTLP_SPAN_SIZE];
    struct bytes labels;     /* of OpenMetrics, within braces */
    size_t characters;       /* of them, at least */
    struct bytes attributes; /* of OTLP, elements of OTLP_EXEMPLAR_ATTRIBUTES */
    bool is_sent;            /* it was in a request already */
};

struct exemplars {
    struct exemplar *list;
    size_t count;
};

/* What KEPT, from VIEW, is; PROBES are those that were compiled for. */
struct exemplar exemplar_make(const struct live_view *view, const struct live_exemplar *kept,
                              const struct outlier_probe *probes, size_t probe_count);
/* Add ONE, which becomes theirs, unless a later one of its range is there. At most a few thousand
 * are kept, the latest. */
void exemplars_add(struct exemplars *exemplars, struct exemplar *one);
/* Add copies of all of MORE. */
void exemplars_add_all(struct exemplars *exemplars, const struct exemplars *more);
/* The latest one of KEY that is more than LOW and at most HIGH; NULL: there is none. */
struct exemplar *exemplars_find(const struct exemplars *exemplars, const struct live_key *key,
                                __int128 low, __int128 high);
void exemplars_free(struct exemplars *exemplars);

/* In exemplar_labels.c: IDs and VALUES, as many as OpenMetrics allows. */
struct side_value;
void exemplar_append_id(struct exemplar *exemplar, const char *name, const uint8_t *id,
                        size_t size);
void exemplar_append_value(struct exemplar *exemplar, const struct side_value *value);

#endif
