/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The processes that a command traces: `-p PID|NAME`, or `-- COMMAND…`, which it starts. The same
 * for all commands.
 */
#ifndef SDT_TARGET_H
#define SDT_TARGET_H

#include "processes.h"

#include <shared/suggest.h>

/* Take `-- COMMAND…` off the end of ARGV; the rest is *ARGC words. */
void target_split(struct target *target, int *argc, char **argv);

/* Report if there is not exactly one of the two; a status. COMMAND is our own, for the message. */
int target_check(const char *command, const struct target *target);
/* Whether -p says a name. */
bool target_is_named(const struct target *target);
/* The name of the program; and its process, 0 if there may be several, or one after the other. */
const char *target_program(const struct target *target);
pid_t target_pid(const struct target *target);
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
    TARGET_CAME,        /* one has loaded something, or is new; it may wait for target_go() */
    TARGET_LOST         /* the process has ended the session */
};
enum target_event target_wait(struct target *target, int ms);

/* The probe of PROCESS that is called nearly as PATTERN, which matches none. */
struct suggestion target_suggest(struct attached *process, const char *pattern);

/* Report that a process has refused PATTERN, or that the session is over; the status for that. */
struct attach_request;
int target_refused(struct target *target, const char *pattern,
                   const struct attach_request *request);
int target_refused_by(struct attached *process, const char *pattern,
                      const struct attach_request *request);
int target_lost(const struct target *target);
/* Report that PATTERN matched nothing until the end: not an error for a program that was
 * started. */
void target_nothing(const struct target *target, const char *pattern);

/* Whether it is no error if nothing of PROCESS matches: it may come later, or be in another one. */
bool target_may_lack(const struct target *target, const struct attached *process);
/* Of several processes, one must have a probe that matches PATTERN: a status, after a message if
 * none has. Of one process, what is asked of it tells. */
int target_check_matches(struct target *target, const char *pattern);
/* What STATUS, of something that was asked of PROCESS, means for the command: a failure of one that
 * came later than others does not end it. */
int target_settle(const struct attached *process, int status);
/* On TARGET_ENDED: say so, unless the command was started by us. */
void target_say_ended(const struct target *target);

/* Have all processes end what was asked for; otherwise they do once they see that the session is
 * over. */
void target_detach(struct target *target);
/* End the session; of a program that was started, wait for its end. STATUS, or the program's. */
int target_close(struct target *target, int status);

#endif
