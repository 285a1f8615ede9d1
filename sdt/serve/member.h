/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A process that sdt serve has attached to, with what is measured in it: for each rule that is
 * about it, programs and tables (measure/measure.h). What its tables have goes to the rules' series
 * when it ends; a table can be read then as well, and nothing is lost.
 */
#ifndef SDT_MEMBER_H
#define SDT_MEMBER_H

#include "config.h"
#include "measure/count_shared.h"

/* A rule in a process. */
struct measuring {
    struct rule *rule;
    struct measure measure;
    struct count_shared shared; /* of a rule that is plain */
    struct count_rows rows;
    unsigned failures; /* that have been noticed */
};

struct member {
    struct target target; /* of one process */
    pid_t pid;
    int64_t since; /* now(): when it was attached to */
    char name[PROCESS_NAME];
    uint64_t generation; /* of its page, when its probes were listed */
    struct measuring *list;
    size_t count;
};

/* Attach to PID: NULL, and *WHY, a value of attach_open(), or 0: it could not begin a session. */
struct member *member_open(pid_t pid, int *why);
/* Measure what RULE wants. */
void member_add(struct member *member, struct rule *rule);
bool member_has(const struct member *member, const struct rule *rule);
/* Measure probes of libraries that it has loaded since. */
void member_look(struct member *member);
/* What has become of it. */
enum member_state { MEMBER_THERE, MEMBER_ENDED, MEMBER_LOST /* it has ended the session */ };
enum member_state member_state(const struct member *member);
/* How many probes of RULE are measured; 0: it has none so far. */
size_t member_probes(const struct member *member, const struct rule *rule);
unsigned member_failures(const struct member *member);

/* Add what its tables have to NOW of the series. */
void member_read(struct member *member);
/* Have it measure no more, add what it has measured to PAST of the series, and let go of it. */
void member_close(struct member *member);

#endif
