/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The processes of a target: all, one more, one that is known. What commands do with a target is in
 * target.h.
 */
#ifndef SDT_PROCESSES_H
#define SDT_PROCESSES_H

#include "attach.h"
#include "started.h"

struct target {
    const char *who;         /* what -p says; NULL: nothing */
    char **command;          /* what follows `--`; NULL: nothing */
    bool follows;            /* --follow: also what these fork and execute */
    bool takes_all;          /* a name may be that of several processes */
    bool restarts;           /* --restarts: also those of that name that start later */
    struct attached process; /* the first one, and most often the only one */
    struct attached **others;
    size_t other_count;
    bool is_started; /* by us */
    struct started started;
    struct attached *came;  /* the one that waits for target_go(); NULL: none */
    int64_t looked, listed; /* now(): when processes of that name were last looked for, and when
                               one was last seen to have loaded something */
    bool has_told;          /* that none is left */
};

/* All processes that are or were traced, the first one included. One that has ended may have no
 * page. */
size_t target_count(const struct target *target);
struct attached *target_at(struct target *target, size_t i);
/* Whether number I is there, and has a page. */
bool target_is_there(struct target *target, size_t i);

/* The first one. A status, after a message if it is not 0. */
int processes_first(struct target *target, pid_t pid);
/* PID as PROCESS, without a message. False: it has ended meanwhile, or is not attachable. */
bool processes_quietly(struct attached *process, pid_t pid);
/* One more; NULL: it could not be opened. */
struct attached *processes_other(struct target *target, pid_t pid);
/* The one that is PID and still there; NULL: none. */
struct attached *processes_find(struct target *target, pid_t pid);
void processes_close_all(struct target *target);

#endif
