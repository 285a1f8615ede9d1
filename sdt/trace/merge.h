/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All events of a recording in order of time, in memory that does not grow with their number:
 *
 *   struct recording recording;
 *   struct merge merge;
 *   struct event event;
 *   if (recording_open(&recording, directory) == 0) {
 *       merge_start(&merge, &recording);
 *       while (merge_next(&merge, &event))
 *           ...
 *       merge_end(&merge);
 *   }
 *   recording_close(&recording);
 *
 * Of events in the same nanosecond that of the first trace comes first, of these the one that its
 * clock says was first, and then that of the lower ring. An event that cannot be decoded is left
 * out, with a warning. Another merge_start() begins anew, with the warnings given.
 */
#ifndef SDT_MERGE_H
#define SDT_MERGE_H

#include "decode.h"
#include "packet.h"
#include "trace.h"

#define NO_CPU UINT32_MAX

/* Valid until the next call. */
struct event {
    const struct recording *recording;
    const struct trace *trace;
    const struct event_class *class;
    int64_t time; /* ns since the epoch */
    uint32_t cpu; /* NO_CPU: not known */
    uint32_t pid, tid;
    uint32_t process, thread;   /* numbers that no other one of all machines has: trace_task() */
    const struct value *values; /* of the first value_count fields of the class */
    size_t value_count;
    size_t field_count; /* of the class that it has: not those of a context that was not there */
    const struct value *callers; /* addresses, of the class's last field; NULL: none */
};

struct merge {
    struct recording *recording;
    struct merge_head *heads; /* a heap: the earliest is the first */
    size_t count;
    struct decoded decoded;
};

void merge_start(struct merge *merge, struct recording *recording);
bool merge_next(struct merge *merge, struct event *event);
void merge_end(struct merge *merge);

#endif
