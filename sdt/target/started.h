/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program that is started to be traced. It must not run before its probes are enabled, and may
 * end a moment later. So it gets one end of a pair of sockets, the gate, by SDT_ATTACH: its library
 * reports there that its control page is ready, and waits before main() until the gate is opened
 * (docs/live.md).
 */
#ifndef SDT_STARTED_H
#define SDT_STARTED_H

#include <stdbool.h>
#include <sys/types.h>

struct started {
    pid_t pid;   /* 0: none */
    int ended;   /* a pidfd; -1: none */
    int gate;    /* the program waits at its other end; -1: it does not */
    int problem; /* errno: why the process that has come last has no control page; 0: it has one */
};

/* Run COMMAND. FOR_ALL: the gate is for everything that it forks and executes, not for it alone.
 * 0, or errno. */
int started_run(struct started *started, char **command, bool for_all);
/* Which process has come to the gate; 0: none. */
pid_t started_who(struct started *started);
/* Whether the program itself still runs. */
bool started_runs(const struct started *started);
void started_close_gate(struct started *started);
/* Wait for its end; returns its status, as in a shell. */
int started_wait(struct started *started);

#endif
