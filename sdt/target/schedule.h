/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long a command runs, and when it prints: -d and -i of sdt count, hist and lat.
 */
#ifndef SDT_SCHEDULE_H
#define SDT_SCHEDULE_H

#include "target.h"

struct schedule {
    double duration, interval; /* seconds; 0: none */
    int64_t began, printed;    /* now() */
};

/* Take the argument TEXT of an option of COMMAND as *SECONDS; a status, after a message. */
int schedule_seconds(const char *command, const char *text, double *seconds);

/* What a command does meanwhile: read the process and find new probes; print. */
struct schedule_steps {
    int (*look)(void *command); /* a status */
    void (*print)(void *command);
};

/* Now the time begins: the process is about to be let go. */
void schedule_begin(struct schedule *schedule);
/* Until the duration is over, the process has ended or Ctrl-C came; a status, after a message if
 * it is an error. The last check and print are the caller's. */
int schedule_follow(struct schedule *schedule, struct target *target,
                    const struct schedule_steps *steps, void *command);

/*
 * What is printed: with an interval, the hits since the last print; and at the
 * end, once more, all of them, which are labelled as the total: the intervals add up to it.
 */
enum schedule_part { SCHEDULE_INTERVAL, SCHEDULE_TOTAL, SCHEDULE_ALL /* without an interval */ };
/* How many seconds PART covers until now. Never 0. */
double schedule_seconds_of(const struct schedule *schedule, enum schedule_part part);
static inline bool schedule_has_intervals(const struct schedule *schedule)
{
    return schedule->interval > 0;
}

#endif
