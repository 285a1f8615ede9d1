/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The processes that record into a directory, and whose rings are written to its files from here:
 * while they run (sdt record), or after they were killed (sdt recover).
 */
#ifndef SDT_WATCH_H
#define SDT_WATCH_H

#include "keep.h"

#include <ring/drain.h>
#include <ring/storage.h>
#include <stdbool.h>

/* One of them. */
struct watched {
    struct watched *next;
    char *name; /* of its directory */
    struct storage storage;
    struct drain drain;
    int lock;
    size_t described; /* of metadata that are handed over (handed.h), so much is written */
    size_t looked;    /* of the metadata, for the files that they name (keep.h) */
    int64_t drained;  /* now(): when all that had been handed over was last written */
    pid_t process;    /* 0: it has the number that the metadata say */
    bool has_failed;  /* a message was printed */
};

struct watch {
    const char *path; /* of the recording */
    int directory;    /* the recording; the caller's */
    const char *pair; /* what is noted of each trace (ring/noted.h); NULL: nothing */
    struct watched *first;
    struct kept_files files; /* of programs and libraries */
    /* Of all processes, those that have ended included. */
    uint64_t events, lost, bytes;
    uint64_t snapshots; /* taken */
    unsigned traces;    /* directories seen that have or had rings */
    bool has_failed;    /* of one of them, something could not be written */
};

/* One more, of the trace NAME; what it has opened is to be filled in. Then it is watched, or given
 * up. */
struct watched *watch_new(const char *name);
void watch_add(struct watch *watch, struct watched *one);
void watch_forget(struct watched *one);

/* Find rings that no other process drains, and add them. Their number; -1 after a message. */
int watch_look(struct watch *watch);
/* Write what is in the rings; those that are no longer recorded into are finished and removed.
 * Returns whether something was written. */
bool watch_drain(struct watch *watch);
/* Write also the events of packets that are not complete. Whether there were any. */
bool watch_drain_rest(struct watch *watch);
/* Free what was kept for those who read the recording. */
void watch_free(struct watch *watch);
/* Write what is there and stop watching; processes that still record will finish it. -1: not all
 * was written, also if that was of a process that has ended before. */
int watch_end(struct watch *watch);

#endif
