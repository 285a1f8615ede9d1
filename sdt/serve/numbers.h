/* SPDX-License-Identifier: BSD-2-Clause */
/* What sdt serve says of itself: metrics sdt_serve_... */
#ifndef SDT_SERVE_NUMBERS_H
#define SDT_SERVE_NUMBERS_H

#include "measure/openmetrics.h"
#include "series.h"

struct numbers {
    /* Now. */
    uint64_t processes, refused, left_out; /* that are measured; that could be */
    uint64_t rules;
    uint64_t series, dropped, duplicates; /* of the exposition; left out of it */
    bool is_reloaded;                     /* the last SIGHUP has found a configuration */
    int64_t reloaded;                     /* since 1970: when one was last read, in ns */
    /* Since the beginning. */
    uint64_t attached, ended, sessions_lost, failures;
    struct lost lost;      /* as of now */
    struct lost lost_gone; /* of rules that are gone */
};

void numbers_append(struct bytes *to, const struct numbers *numbers, enum openmetrics_form form);

#endif
