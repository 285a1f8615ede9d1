/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a recording is: its directories, the file of its rings, and the locks that say who may do
 * what with it.
 *
 * - DIR/.sdt-recording: says that DIR is a recording; locked, shared, by the watching tool: then
 *   recording processes need not drain. It is a lock of fcntl(2), which can be tested without
 *   taking it: otherwise two programs that end at once would each mistake the other for a watcher
 * - DIR/PROGRAM-PID/metadata: locked (flock) by the process that drains the rings
 * - DIR/PROGRAM-PID/.rings: the rings, or a symbolic link to them in /dev/shm; locked, shared, by
 *   recording processes
 *
 * The rings are in /dev/shm: the kernel writes pages of files on disk back at any time, and the
 * next store to such a page is a page fault. If there is no room, they are in the directory.
 */
#ifndef SDT_RECORDER_HOME_H
#define SDT_RECORDER_HOME_H

#include "process/handle.h"
#include "ring.h"

#include <limits.h>

struct home {
    struct handle directory; /* DIR/PROGRAM-PID; use home_directory() */
    struct handle memory;    /* /dev/shm, which a program cannot find after chroot(2) */
    char *path;              /* the directory, absolute; NULL: only we close descriptors */
    int rings;               /* descriptor; -1: closed, but mapped. The lock is its open file
                                description's, which children share */
    struct ring_file *file;
    size_t size;
    char *handed; /* metadata after the rings, which belong to a tool (handed.h); NULL: in files */
};

/* Nothing is open. */
void home_nothing(struct home *home);

/* Open DIR, which is or becomes a recording; its descriptor, or an error: -EEXIST if it is neither
 * empty nor a recording. */
int home_recording(const char *dir);
/* Make DIR, if need be, and in it a directory for PROGRAM and this process; rings as WANTED says.
 */
int home_make(struct home *home, const char *dir, const char *program,
              const struct ring_file *wanted);
/* Make a directory for PROGRAM and process PID in the recording; its descriptor and NAME, or an
 * error. */
int home_make_trace(int recording, const char *program, pid_t pid, char name[NAME_MAX]);
/* Remove what home_make() made, and the metadata; HOME is still to be closed. */
void home_unmake(struct home *home);
/* Open the rings in DIRECTORY, whose descriptor becomes HOME's; -ENOENT: there are none. */
int home_open(struct home *home, int directory);
/* Leave the rings of HOME (home_leave()) and open them as LAST, as others do. 1: they are gone,
 * since another process left after us. */
int home_open_last(struct home *last, struct home *home);
void home_close(struct home *home);
/* The descriptor of the directory, opened again if the program has closed it; or an error. */
int home_directory(struct home *home);

/* Watch the recording DIRECTORY (home_recording()) until *LOCK is closed. */
int home_watch(int directory, int *lock);
/* Whether a tool watches the recording that HOME is in. */
bool home_is_watched(struct home *home);
/* The same of the directory RECORDING. */
bool home_has_watcher(int recording);
/* 0 if a tool watches the recording DIR; -ENOENT: none does, for example because we have another
 * root or mounts of our own, where DIR is another directory or none; or another error. */
int home_check_watched(const char *dir);
/* Become the one that drains, until *LOCK is closed. -EBUSY: another process drains. */
int home_lock_drain(struct home *home, int *lock);
/*
 * Leave the rings: the lock is held as long as any process has them open or mapped. What is at
 * home->file afterwards is memory like theirs, which hits that are late may use.
 */
int home_leave(struct home *home);
/* Whether no process records any more, for a HOME that was opened; then none can begin to. */
bool home_is_over(const struct home *home);
/* file_limit(), for tools, which write to the same files. */
int home_limit(uint64_t size);
/* Have SIZE bytes in file FD, for certain: without them a store would be SIGBUS. */
int home_reserve(int fd, size_t size);
/* Whether ERROR means that there is no room. */
bool home_is_full(int error);
/* Remove the rings: all is in the files. */
void home_remove_rings(struct home *home);

#endif
