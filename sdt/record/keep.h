/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The programs and libraries of processes that record, as far as their names lead elsewhere here:
 * the process has another root or mounts of its own, or the file was replaced after its start. What
 * reports read of them is kept in the recording (trace/module_file.h).
 */
#ifndef SDT_RECORD_KEEP_H
#define SDT_RECORD_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct kept_file {
    char *id; /* build ID, in hexadecimal */
    int fd;
};

/* All zero: none. */
struct kept_files {
    struct kept_file *list;
    size_t count;
    bool are_linked; /* they can be read in the recording at once, while this process lives */
};

/* Open the files that the metadata of TRACE name after *LOOKED bytes, and that only process PID
 * has. 0: what the metadata say. RECORDING and TRACE are the directories. */
void keep_look(struct kept_files *files, int recording, int trace, pid_t pid, size_t *looked);
/* Write what they say into the recording. Not by itself: what has no room is left out. */
void keep_write(struct kept_files *files, int recording);
void keep_free(struct kept_files *files);

#endif
