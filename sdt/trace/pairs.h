/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which probes begin and end something, so that a viewer can show how long it took.
 *
 * Two probes of one provider are a pair if their names differ only in the last word, and these
 * words are begin and end, start and done, start and end, or entry and return. The word is the
 * whole name, or follows `_`, `-` or `.`; the part before it is the displayed name, or, if there is
 * none, the function's name. Users' own pairs come first: PROVIDER:NAME=PROVIDER:NAME[:by
 * ARGUMENT].
 *
 * The end belongs to the latest begin of the same thread, or, with an argument, to the begin with
 * the same value of it, in any thread of the process.
 */
#ifndef SDT_PAIRS_H
#define SDT_PAIRS_H

#include "merge.h"
#include "trace.h"

struct pair {
    char *name;        /* of what is shown; NULL: the function's */
    char *begin, *end; /* labels */
    const char *by;    /* an argument; NULL: by thread */
};

enum role_kind { ROLE_NONE, ROLE_BEGIN, ROLE_END };

struct role {
    enum role_kind kind;
    size_t pair; /* index */
};

struct pairs {
    struct pair *list;
    size_t count, capacity;
    struct role *roles; /* one for each probe */
};

/* Add a user's pair. Reports a text that is not a pair. */
int pairs_add(struct pairs *pairs, const char *text);
/* Find the probes of RECORDING. Reports probes that are not there. */
int pairs_resolve(struct pairs *pairs, const struct recording *recording);
void pairs_free(struct pairs *pairs);

/* The N-th name (from 0) that a probe may have that ends what NAME begins, by their last words;
 * NULL: there are no more. The caller's. */
char *pairs_end_of(const char *name, size_t n);

#endif
