/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * New processes, found in /proc: nothing else tells of them without privileges. What was seen and
 * is not wanted is looked at again when its name changes, since a process that was forked becomes
 * another program by exec(2), and every few seconds; what could not be attached to, after 1, 2, 4
 * ... seconds.
 */
#ifndef SDT_SCAN_H
#define SDT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum scan_outcome {
    SCAN_TAKEN,    /* it is attached to, until scan_release() */
    SCAN_UNWANTED, /* no rule is about it */
    SCAN_REFUSED,  /* it cannot be attached to, now */
    SCAN_FULL      /* there are as many as may be */
};

struct scan {
    struct seen *list; /* by pid */
    size_t count;
    size_t refused, left_out; /* of the processes that are wanted */
};

/* Offer each process that is due to TAKE; IS_AGAIN: it was refused before. After half a second the
 * others have to wait, so that there are new numbers meanwhile: false, they are due at once. */
bool scan_look(struct scan *scan, enum scan_outcome (*take)(void *data, pid_t pid, bool is_again),
               void *data);
/* Process PID is no longer attached to: it is due if it is there. */
void scan_release(struct scan *scan, pid_t pid);
/* Other processes are wanted now: all are due that are not attached to. */
void scan_anew(struct scan *scan);
void scan_free(struct scan *scan);

#endif
