/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The processes that a command traces: `-p PID|NAME`, or `-- COMMAND…`, which it starts. The same
 * for all commands.
 */
#ifndef SDT_TARGET_H
#define SDT_TARGET_H

#include "attach.h"
#include "started.h"

#include <shared/suggest.h>

struct target {
    const char *who;         /* what -p says; NULL: nothing */
    char **command;          /* what follows `--`; NULL: nothing */
    bool follows;            /* --follow: also what these fork and execute */
    bool takes_all;          /* a name may be that of several processes */
    struct attached process; /* the first one, and most often the only one */
    struct attached **others;
    size_t other_count;
    bool is_started; /* by us */
    struct started started;
    struct attached *came; /* the one that waits for target_go(); NULL: none */
};

/* All processes that are or were traced, the first one included. One that has ended may have no
 * page. */
size_t target_count(const struct target *target);
struct attached *target_at(struct target *target, size_t i);

/* Take `-- COMMAND…` off the end of ARGV; the rest is *ARGC words. */
void target_split(struct target *target, int *argc, char **argv);

/* Report if there is not exactly one of the two; a status. COMMAND is our own, for the message. */
int target_check(const char *command, const struct target *target);
/* The patterns at ARGV as one, which the caller frees. */
char *target_patterns(char **argv);

/* Find or start it, and begin a session. 0, or a status after a message. The program that was
 * started waits before its main() for target_go(), and again when it loads libraries. So does, with
 * --follow, each that it executes. */
int target_open(struct target *target);
void target_go(struct target *target);

/*
 * Wait MS milliseconds (-1: without end) for what comes first, and keep the session alive.
 */
enum target_event {
    TARGET_TIME,        /* nothing else */
    TARGET_ENDED,       /* all processes are gone, or have become other programs */
    TARGET_INTERRUPTED, /* Ctrl-C and the like: print what there is */
    TARGET_CAME,        /* one has loaded something, or is new, and waits for target_go() */
    TARGET_LOST         /* the process has ended the session */
};
enum target_event target_wait(struct target *target, int ms);

/* The probe of PROCESS that is called nearly as PATTERN, which matches none. */
struct suggestion target_suggest(struct attached *process, const char *pattern);

/* Report that a process has refused PATTERN, or that the session is over; the status for that. */
struct question;
int target_refused(struct target *target, const char *pattern, const struct question *question);
int target_refused_by(struct attached *process, const char *pattern,
                      const struct question *question);
int target_lost(const struct target *target);
/* Report that PATTERN matched nothing until the end: not an error for a program that was
 * started. */
void target_nothing(const struct target *target, const char *pattern);

/* Have all processes end what was asked for; otherwise they do once they see that the session is
 * over. */
void target_detach(struct target *target);
/* End the session; of a program that was started, wait for its end. STATUS, or the program's. */
int target_close(struct target *target, int status);

#endif
