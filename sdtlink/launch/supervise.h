/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Children: workers and the linker. A signal that would end us is passed on to them and kept until
 * they have ended, so that the temporary directory is removed in every case but SIGKILL.
 */
#ifndef SDTLINK_LAUNCH_SUPERVISE_H
#define SDTLINK_LAUNCH_SUPERVISE_H

#include "relay.h"

#include <sys/types.h>

/* From here on SIGINT, SIGTERM, SIGHUP and SIGQUIT wait for supervise_wait(). 0 or -1. */
int supervise_begin(void);
/* fork(); in the child signals are as they were before supervise_begin(). */
pid_t supervise_fork(void);
/*
 * Wait for COUNT children, and pass on what comes through RELAYS (MAX_RELAYS at most) meanwhile.
 * CHILDREN become 0, STATUSES are as of waitpid(). Allocates nothing: that could end us before
 * them. Returns the signal that we were sent, 0: none.
 */
int supervise_wait(pid_t *children, int *statuses, size_t count, struct relay *relays,
                   size_t relay_count);
/* Signals as before supervise_begin(). */
void supervise_end(void);
/* Die of signal NUMBER as the child did, so that make and the shell see what happened. */
void supervise_die(int number);

#endif
