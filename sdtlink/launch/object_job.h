/* SPDX-License-Identifier: BSD-2-Clause */
/* An object of the link that is to be processed: a file, or a member of an archive in memory. */
#ifndef SDTLINK_LAUNCH_OBJECT_JOB_H
#define SDTLINK_LAUNCH_OBJECT_JOB_H

#include <stddef.h>
#include <stdint.h>

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

void object_jobs_add(struct object_jobs *jobs, const struct object_job *job);

#endif
