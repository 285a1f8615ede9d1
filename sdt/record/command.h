/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt record: what is asked for, and what is under way; shared by its parts and by sdt trace. */
#ifndef SDT_RECORD_COMMAND_H
#define SDT_RECORD_COMMAND_H

#include "target/target.h"
#include "watch.h"
#include "when.h"

/* How often to search the directory for processes that begin to record: every so many pauses. */
enum { RECORD_LOOK_EVERY = 10, RECORD_PAUSE = 2000000 /* ns */ };

/* A process that was asked to record. */
struct recorded {
    uint64_t id;                   /* what it is asked to end later; 0: nothing */
    pid_t pid;                     /* as it sees itself */
    struct record_probes *choices; /* of each -e with a predicate */
    struct when_asked when;
};

struct record {
    const char *output;
    char *patterns;          /* for SDT_ENABLE */
    char *pattern;           /* the same, as one; NULL: all */
    char *options;           /* for SDT_RECORD_OPTIONS */
    const char *description; /* NULL: none */
    char **command;
    struct target target;    /* instead of it */
    double duration;         /* seconds, of such processes only; 0: to their end */
    struct clauses *choices; /* -e with a predicate; such processes only */
    size_t choice_count;
    struct recorded *processes; /* of the target */
    size_t process_count;
    struct when when;
    bool has_when;
    bool made_output, made_clock;
    int lock; /* as long as it is held, programs leave their rings to us */
    struct watch watch;
};

#endif
