/* SPDX-License-Identifier: BSD-2-Clause */
/* The linker's messages and files about its inputs, with their original names. */
#ifndef SDTLINK_LAUNCH_RELAY_H
#define SDTLINK_LAUNCH_RELAY_H

#include "base/memory.h"

enum { MAX_RELAYS = 2 };

/* A pipe from the linker to where it would have written. */
struct relay {
    int from, to;
    int write_end;        /* for the child; closed here by relay_started() */
    struct bytes waiting; /* an unfinished line */
};

/*
 * Relays for standard output and error; one is enough if they are the same file, and keeps the
 * order of what is written. Returns how many, -1: failed, and said so.
 */
int relay_open(struct relay relays[MAX_RELAYS]);
/* In the child, before exec. */
void relay_attach(const struct relay *relays, int count);
/* In the parent, after fork. */
void relay_started(struct relay *relays, int count);
/* Pass on what there is, as far as lines are complete; does not block. */
void relay_pass(struct relay *relay);
/* Pass on what is left. The child has ended. */
void relay_finish(struct relay *relays, int count);

/* Put the original names into a file that the linker has written (a map, a dependency file). */
int relay_restore_names(const char *path);

#endif
