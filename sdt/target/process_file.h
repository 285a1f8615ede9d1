/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files of a process, as it sees them: it may have another root, mounts of its own, or run a
 * file that has been replaced since. All are found through /proc/PID.
 */
#ifndef SDT_PROCESS_FILE_H
#define SDT_PROCESS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A file that a process has mapped. */
struct process_map {
    uint64_t start, end, inode;
    unsigned major, minor;
    char *path;
};

struct process_maps {
    pid_t pid;
    struct process_map *list; /* by address */
    size_t count;
};

/* Those of process PID; none, if they cannot be read. */
void process_maps_read(struct process_maps *maps, pid_t pid);
void process_maps_free(struct process_maps *maps);
bool process_map_is_same_file(const struct process_map *a, const struct process_map *b);
/* What is mapped at ADDRESS; NULL: no file. */
const struct process_map *process_maps_find(const struct process_maps *maps, uint64_t address);
/* Open it; -1: it cannot be. */
int process_file_open(const struct process_maps *maps, const struct process_map *map);

/* Open file PATH, absolute, as the process names it; -1: it cannot be opened, and may be another
 * one by now. */
int process_file_named(pid_t pid, const char *path);

#endif
