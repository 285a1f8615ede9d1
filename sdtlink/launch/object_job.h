/* SPDX-License-Identifier: BSD-2-Clause */
/* An object of the link that is to be processed: a file, or a member of an archive in memory. */
#ifndef SDTLINK_LAUNCH_OBJECT_JOB_H
#define SDTLINK_LAUNCH_OBJECT_JOB_H

#include "base/memory.h"

struct object_job {
    const char *name; /* in messages: foo.o, libx.a(foo.o) */
    const char *file; /* NULL: a member, of SIZE bytes at DATA */
    const uint8_t *data;
    size_t size;
    char *output;
};

struct object_jobs {
    struct object_job *list; /* to be freed */
    size_t count, capacity;
};

static inline void object_jobs_add(struct object_jobs *jobs, const struct object_job *job)
{
    jobs->list = memory_with_room(jobs->list, jobs->count, &jobs->capacity, sizeof *jobs->list);
    jobs->list[jobs->count++] = *job;
}

#endif
