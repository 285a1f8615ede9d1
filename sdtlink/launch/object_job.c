/* SPDX-License-Identifier: BSD-2-Clause */
#include "object_job.h"

#include "base/memory.h"

void object_jobs_add(struct object_jobs *jobs, const struct object_job *job)
{
    if (jobs->count == jobs->capacity) {
        jobs->capacity = jobs->capacity * 2 + 64;
        jobs->list = memory_resize(jobs->list, jobs->capacity, sizeof *jobs->list);
    }
    jobs->list[jobs->count++] = *job;
}
