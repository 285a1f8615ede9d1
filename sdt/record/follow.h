/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt trace: what the command line (follow_options.c) and the work (follow.c) share. */
#ifndef SDT_FOLLOW_H
#define SDT_FOLLOW_H

#include "command.h"
#include "command/clauses.h"
#include "follow_calls.h"
#include "probes.h"
#include "report/report.h"

#include <time.h>

struct followed {
    uint64_t id;                 /* of the recording, there */
    struct record_probes probes; /* if there is a predicate */
};

struct follow {
    struct record record;
    struct report report;
    struct clauses clauses;
    struct followed *processes; /* of the target, those that record */
    size_t process_count;
    bool is_by_event; /* the entry and the return of a call are two lines */
    struct follow_calls calls;
    char *format; /* NULL: as sdt report prints */
    char *directory;
    double duration;
    int64_t began;          /* now() */
    uint64_t rate;          /* events a second; 0: all */
    uint64_t left, skipped; /* of this second; in all */
    time_t second;
    bool has_begun; /* printing */
    bool has_probe; /* one was described */
};

/* Read the command line. A status, after a message if it is not 0; *IS_DONE: that was all. */
int follow_parse(struct follow *follow, int argc, char **argv);

#endif
