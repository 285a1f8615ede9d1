/* SPDX-License-Identifier: BSD-2-Clause */
#include "object_job.h"

#include "base/memory.h"

void object_jobs_add(struct object_jobs *jobs, const struct object_job *job)
{
    jobs->list = memory_with_room(jobs->list, jobs->count, &jobs->capacity, sizeof *jobs->list);
    jobs->list[jobs->count++] = *job;
}
