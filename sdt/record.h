/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt record: of programs that it starts (record.c), and of a process that runs (record_process.c).
 */
#ifndef SDT_RECORD_COMMAND_H
#define SDT_RECORD_COMMAND_H

#include "target.h"
#include "watch.h"
#include "when.h"

/* How often to look into the directory for who begins to record: each so many pauses. */
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
    bool made_output;
    int lock; /* as long as it is held, programs leave their rings to us */
    struct watch watch;
};

/* Read the command line (record_options.c). 0, or a status after a message; *IS_DONE: that was all.
 */
int record_parse(struct record *record, int argc, char **argv, bool *is_done);
/* Make the directory. 0, or -1 after a message. */
int record_make_output(struct record *record);
/* Nothing came into it: as if it had not been made. */
void record_remove_output(const struct record *record);
/* Write what processes have left that ended behind the last look. */
void record_watch_late(struct record *record);
void record_summarize(const struct record *record);

/* Ask PROCESS to record; a status. *ID is what is asked to end later. */
int record_ask(const struct record *record, struct attached *process, uint64_t *id);
/* Record a process that runs, or a program that is started like one; a status. */
int record_process(struct record *record);
/* Add NAMEVALUE to SDT_RECORD_OPTIONS. */
void record_add_option(struct record *record, const char *name, const char *value);
/* Record callers: TEXT says how many; NULL: as many as is usual. -1: it does not. */
int record_add_stack(struct record *record, const char *text);
/* Add an -e PATTERN /PREDICATE/. NULL, or what is wrong with TEXT. */
const char *record_choose(struct record *record, const char *text);
void record_free_choices(struct record *record);

#endif
