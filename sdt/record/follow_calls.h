/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls of functions in sdt trace: entry and return in one line, `f(n=3) = 0 <1.2 us>`, as strace
 * prints system calls. A line waits for the return, until its thread has something else to print,
 * or for a second: then it says that the call is unfinished, and the return gets a line of its own.
 * So lines are in order of their ends.
 *
 * The recording is opened anew for each look, so what is kept of an event here is a copy.
 */
#ifndef SDT_FOLLOW_CALLS_H
#define SDT_FOLLOW_CALLS_H

#include "report/report.h"

struct follow_calls {
    struct tracks numbers; /* of threads: places in */
    struct follow_thread *threads;
    size_t capacity;
};

/* Print EVENT with the line that waits for it. False: none does. */
bool follow_calls_join(struct follow_calls *calls, struct report *report,
                       const struct event *event);
/* EVENT gets a line. What waits in its thread is printed before that; true: EVENT waits as well, as
 * it begins a call whose return is recorded. Else, report->call_ns is set for it. */
bool follow_calls_hold(struct follow_calls *calls, struct report *report,
                       const struct event *event);
/* Print what has waited since before TIME, ns since the epoch. */
void follow_calls_flush(struct follow_calls *calls, struct report *report, int64_t time);
void follow_calls_free(struct follow_calls *calls);

#endif
