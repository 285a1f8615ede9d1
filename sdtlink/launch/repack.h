/* SPDX-License-Identifier: BSD-2-Clause */
/* An archive of the link with members that hold probes, and the new archive in its place. */
#ifndef SDTLINK_LAUNCH_REPACK_H
#define SDTLINK_LAUNCH_REPACK_H

#include "archive.h"
#include "base/mapping.h"
#include "base/words.h"
#include "object_job.h"
#include "scan.h"

struct repack {
    const char *path; /* of the archive */
    const struct scan_rules *rules;
    char *output;         /* of the new one */
    struct mapping file;  /* the archive */
    struct words members; /* for archive_write() */
};

/* Read the archive PATH, and add a job for each member with probes. 0 or -1, and said so. */
int repack_open(struct repack *repack, const char *path, const struct scan_rules *rules,
                struct object_jobs *jobs);
/* When these jobs are done: write the new archive. 0 or -1. */
int repack_write(const struct repack *repack);
void repack_close(struct repack *repack);

#endif
