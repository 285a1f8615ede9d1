/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long a command runs, and when it prints: -d and -i of sdt count, hist and lat.
 */
#ifndef SDT_SCHEDULE_H
#define SDT_SCHEDULE_H

#include "target.h"

struct schedule {
    double duration, interval; /* seconds; 0: none */
    double began, printed;     /* CLOCK_MONOTONIC; set by schedule_follow() */
};

/* Take the argument TEXT of an option of COMMAND as *SECONDS; a status, after a message. */
int schedule_seconds(const char *command, const char *text, double *seconds);

/* What a command does meanwhile: read the process and look for new probes; print. */
struct schedule_steps {
    int (*look)(void *command); /* a status */
    void (*print)(void *command);
};

/* Until the duration is over, the process has ended or Ctrl-C came; a status, after a message if
 * it is an error. The last look and print are the caller's. */
int schedule_follow(struct schedule *schedule, struct target *target,
                    const struct schedule_steps *steps, void *command);

/* How many seconds the numbers cover that are printed now: since the last print if there is an
 * interval, else since the beginning. Never 0. */
double schedule_seconds_shown(const struct schedule *schedule);

#endif
