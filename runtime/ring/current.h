/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The recorder that this process has, if it has one; what it has described; and how the process is
 * told from its forked children. recorder.h has its functions, writing.h writes the files.
 */
#ifndef SDT_RECORDER_CURRENT_H
#define SDT_RECORDER_CURRENT_H

#include "drain.h"
#include "hit.h"
#include "storage.h"

#include <pthread.h>
#include <site/site.h>
#include <stdio.h>

struct description;
struct trigger;

struct sdt_recorder {
    struct rings rings;
    struct storage storage;
    struct drain drain; /* guarded by `draining` */
    pthread_mutex_t draining;
    struct description *description; /* NULL: none */
    unsigned callers;                /* of a hit that are recorded */
    bool has_context;                /* that of the thread is recorded */
    FILE *text;                      /* what is to be added to the metadata; locked */
    char *buffer;
    size_t length;
    _Atomic(struct owned *) owned; /* recorder.c's */
    pthread_t thread;
    bool has_thread; /* guarded by `draining` */
    atomic_bool ending;
};

extern struct sdt_recorder *_Atomic recorder_current; /* NULL: none */
extern int *recorder_process; /* the process, in a page that is zero in a child that forked */
/* Make that page, and write this process there. 0 or -ENOMEM. */
int recorder_know_process(void);

/*
 * SITE is about to be recorded: describe it, if that has not been done. What was described since
 * the last time is written to the metadata by recorder_described(), in one write: children add to
 * the same file. Locked, both. 0 or an error.
 */
int recorder_describe(struct site *site);
int recorder_described(void);
/* Make the metadata, with their beginning. 0 or an error. */
struct recorded_process;
int recorder_begin_metadata(struct sdt_recorder *recorder, const struct recorded_process *process);

/* In the child, after fork(). */
void recorder_after_fork_child(void);

#endif
