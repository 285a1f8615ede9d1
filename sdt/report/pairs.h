/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The pairs of probes whose time is shown: those that users ask for, in the words of `sdt lat`
 *
 *     BEGIN [/PREDICATE/] END [/PREDICATE/] [match EXPRESSION]
 *
 * then those that the recording was made for (`sdt record --when`), then those that have the names
 * of a pair (trace/pair_names.h). pairing.h pairs their events.
 */
#ifndef SDT_PAIRS_H
#define SDT_PAIRS_H

#include "command/clauses.h"
#include "filter.h"
#include "trace/merge.h"

struct pair {
    char *text;        /* as the user wrote it; NULL: found by its names */
    char *name;        /* of what is shown; NULL: the function's */
    bool is_functions; /* calls of functions, each by itself: paired by their frames as well */
    char *begin, *end; /* labels or patterns */
    struct clauses clauses;
    struct filter predicate[2], match;
    uint64_t begins, overlaps; /* pairing.h: of these, so many that another followed */
};

enum role_kind { ROLE_NONE, ROLE_BEGIN, ROLE_END };

struct role {
    enum role_kind kind;
    size_t pair; /* index */
};

struct pairs {
    struct pair *list;
    size_t count;
    struct role **roles; /* of each trace, one for each class */
    size_t trace_count, *class_limits;
};

/* Add a user's pair. Reports a text that is not a pair. */
int pairs_add(struct pairs *pairs, const char *text);
/* Find the probes of RECORDING. Reports users' probes that are not there. */
int pairs_resolve(struct pairs *pairs, const struct recording *recording);
void pairs_free(struct pairs *pairs);

/* Whether slices of PAIR belong to no thread. A call does, whatever else identifies it. */
static inline bool pair_is_async(const struct pair *pair)
{
    return pair->match.expression && !pair->is_functions;
}

/* The role of the events of CLASS. */
const struct role *pairs_role(const struct pairs *pairs, const struct recording *recording,
                              const struct trace *trace, const struct event_class *class);
/* The name of the slice that an event of CLASS begins: the function, if the pair has no name. */
const char *pairs_slice_name(const struct pair *pair, const struct event_class *class);
/* What to do about a PAIR whose begins overlap: a sentence, the caller's. */
char *pairs_advice(const struct pair *pair, const struct recording *recording);
/* Warn of each pair whose begins had others after them before they had an end. */
void pairs_warn(const struct pairs *pairs, const struct recording *recording);

#endif
