/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts of several processes, or of one and the children that it forks: a table of each process
 * (measure.h), whose keys are the names of the probes, and to which its children add. The words
 * that normally count (count_rows.h) are not shared with children.
 */
#ifndef SDT_COUNT_SHARED_H
#define SDT_COUNT_SHARED_H

#include "compile/compile.h"
#include "count_rows.h"
#include "measure.h"

struct count_shared {
    struct target *target;
    const char *pattern;
    struct compiled program;
    struct measure_part *parts;
    size_t count;
    struct counted_process {
        uint64_t generation; /* of its page, when its probes were listed; 0: new */
        uint64_t table;
        char *resolved; /* what it was asked for */
    } * processes;
    size_t process_count;
    unsigned failures; /* of processes that came later */
    uint64_t overflow; /* hits of more probes than there was room for */
};

/* Only compile the programs that count. A status. */
int count_shared_prepare(struct count_shared *shared, struct target *target, const char *pattern);
/* Have PROCESS make a table for so many SITES: its number there; 0: after a message. */
uint64_t count_shared_table(struct count_shared *shared, struct attached *process, size_t sites);
/* Read the tables: totals of ROWS. */
void count_shared_read(struct count_shared *shared, struct count_rows *rows);

/* A status, after a message. ROWS gets the probes that there are. */
int count_shared_begin(struct count_shared *shared, struct target *target, const char *pattern,
                       struct count_rows *rows);
/* Find new processes and probes, and read all counts. A status, after a message. */
int count_shared_look(struct count_shared *shared, struct count_rows *rows);
void count_shared_free(struct count_shared *shared);

#endif
