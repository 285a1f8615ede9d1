/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Snapshots of a flight recorder: the events that led to another are saved to disk.
 *
 * A hit evaluates its condition. If it holds, the hit sets a word in the memory of the rings, and
 * wakes the writer: a thread of this process, or `sdt record`. The writer writes everything, and
 * clears the word. Until then no packet is overwritten (ring.c): a busy program would overwrite all
 * of them within milliseconds.
 */
#ifndef SDT_RECORDER_SNAPSHOT_H
#define SDT_RECORDER_SNAPSHOT_H

#include "ring/ring.h"

#include <sdt/runtime.h>

struct rings;

/* A condition, and the recorder that it belongs to. */
struct trigger;

/* Of CONDITION, for the caller to free(); NULL: *ERROR says why. */
struct trigger *snapshot_trigger(const char *condition, const struct rings *rings,
                                 struct ring_file *file, int *error);

/* Handler; DATA is a trigger. */
void snapshot_hit(const struct sdt_event *event, void *data);

/* For the writer: wait, at most NANOSECONDS, until a snapshot is wanted; note that it was written.
 */
void snapshot_wait(struct ring_file *file, long nanoseconds);
void snapshot_done(struct ring_file *file, bool is_written);
/* Wake those who wait. */
void snapshot_wake(struct ring_file *file);

#endif
