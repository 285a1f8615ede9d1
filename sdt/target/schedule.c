/* SPDX-License-Identifier: BSD-2-Clause */
#include "schedule.h"
#include "base/now.h"
#include "command/command.h"

#include <stdbool.h>
#include <stdlib.h>

int schedule_seconds(const char *command, const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    return end != text && !*end && *seconds >= 0.001 && *seconds <= 1e6
               ? STATUS_DONE
               : command_wrong(command, "a time is a number of seconds, from 0.001 on");
}

double schedule_seconds_of(const struct schedule *schedule, enum schedule_part part)
{
    double seconds = seconds_since(part == SCHEDULE_INTERVAL ? schedule->printed : schedule->began);
    return seconds > 1e-6 ? seconds : 1e-6;
}

/* Wait until time UNTIL (0: without end), or what comes first. What the process loads meanwhile is
 * examined before the process goes on. */
static enum target_event wait_until(struct target *target, int64_t until,
                                    const struct schedule_steps *steps, void *command, int *status)
{
    for (;;) {
        int64_t left = until - now(), millisecond = SECOND / 1000;
        int ms = until == 0 ? -1 : left > 0 ? (int)((left + millisecond / 2) / millisecond) : 0;
        enum target_event event = target_wait(target, ms);
        if (event != TARGET_CAME)
            return event;
        *status = steps->look(command);
        target_go(target);
        if (*status != STATUS_DONE)
            return event;
    }
}

void schedule_begin(struct schedule *schedule)
{
    schedule->began = schedule->printed = now();
}

/* 0: never. */
static int64_t moment_after(const struct schedule *schedule, double seconds)
{
    return seconds > 0 ? schedule->began + (int64_t)(seconds * (double)SECOND) : 0;
}

int schedule_follow(struct schedule *schedule, struct target *target,
                    const struct schedule_steps *steps, void *command)
{
    int status = STATUS_DONE;
    for (unsigned round = 1;; round++) {
        int64_t next = moment_after(schedule, round * schedule->interval);
        int64_t end = moment_after(schedule, schedule->duration);
        bool is_last = end > 0 && (next == 0 || end <= next + SECOND / 10000);
        enum target_event event = wait_until(target, is_last ? end : next, steps, command, &status);
        if (status != STATUS_DONE)
            return status;
        if (event == TARGET_LOST)
            return target_lost(target);
        if (event == TARGET_ENDED)
            target_say_ended(target);
        if (event != TARGET_TIME || is_last)
            return STATUS_DONE;
        status = steps->look(command);
        if (status != STATUS_DONE)
            return status;
        steps->print(command);
        schedule->printed = now();
    }
}
