/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What happens when a probe that is recorded is hit.
 */
#ifndef SDT_RECORDER_HIT_H
#define SDT_RECORDER_HIT_H

#include "ring.h"

#include <field.h>
#include <sdt/runtime.h>

/* How one site is recorded. Constant once it is published (site->recipe), and never freed. */
struct recipe {
    uint32_t class;             /* its number in the recording */
    uint8_t count;              /* arguments */
    bool is_fixed;              /* integers and the like only: all of one size */
    uint8_t kind[SDT_MAX_ARGS]; /* enum field_kind */
    uint8_t size[SDT_MAX_ARGS]; /* bytes that it takes in the recording; 0: it has no fixed size */
};

/* What hits need of the recorder. */
struct rings {
    const struct ring_file *file; /* NULL: nothing is being recorded */
    size_t stride;
    bool is_per_thread; /* a ring is a thread's, since there are no restartable sequences */
    uint32_t text;      /* most bytes of a string */
    const int *pid;     /* 0 in a child that forked, until somebody looks */
    _Atomic bool is_on;
    bool is_tsc;
};

/* Handler, of general registers only; DATA is a struct rings. */
void recorder_hit(const struct sdt_event *event, void *data);

/* In arch/ring_x86_64.S: do WRITE. False: not done; look at the ring again. */
bool ring_commit(struct ring *ring, const struct ring_write *write, unsigned cpu);
bool ring_commit_alone(struct ring *ring, const struct ring_write *write);

#endif
