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
#ifndef SDT_RECORDER_STORAGE_H
#define SDT_RECORDER_STORAGE_H

#include "process/handle.h"
#include "ring.h"

#include <limits.h>

struct storage {
    struct handle directory; /* DIR/PROGRAM-PID; use storage_directory() */
    struct handle memory;    /* /dev/shm, which a program cannot find after chroot(2) */
    char *path;              /* the directory, absolute; NULL: only we close descriptors */
    int rings;               /* descriptor; -1: closed, but mapped. The lock is its open file
                                description's, which children share */
    struct ring_file *file;
    size_t size;
    char *handed; /* metadata after the rings, which belong to a tool (handed.h); NULL: in files */
};

/* Nothing is open. */
void storage_nothing(struct storage *storage);

/* Open DIR, which is or becomes a recording; its descriptor, or an error: -EEXIST if it is neither
 * empty nor a recording. */
int storage_recording(const char *dir);
/* Make DIR, if need be, and in it a directory for PROGRAM and this process; rings as WANTED says.
 */
int storage_make(struct storage *storage, const char *dir, const char *program,
                 const struct ring_file *wanted);
/* Make a directory for PROGRAM and process PID in the recording; its descriptor and NAME, or an
 * error. */
int storage_make_trace(int recording, const char *program, pid_t pid, char name[NAME_MAX]);
/* Remove what storage_make() made, and the metadata; STORAGE is still to be closed. */
void storage_unmake(struct storage *storage);
/* Open the rings in DIRECTORY, whose descriptor becomes STORAGE's; -ENOENT: there are none. */
int storage_open(struct storage *storage, int directory);
/* Leave the rings of STORAGE (storage_leave()) and open them as LAST, as others do. 1: they are
 * gone, since another process left after us. */
int storage_open_last(struct storage *last, struct storage *storage);
void storage_close(struct storage *storage);
/* The descriptor of the directory, opened again if the program has closed it; or an error. */
int storage_directory(struct storage *storage);

/* Watch the recording DIRECTORY (storage_recording()) until *LOCK is closed. */
int storage_watch(int directory, int *lock);
/* Whether a tool watches the recording that STORAGE is in. */
bool storage_is_watched(struct storage *storage);
/* The same of the directory RECORDING. */
bool storage_has_watcher(int recording);
/* 0 if a tool watches the recording DIR; -ENOENT: none does, for example because we have another
 * root or mounts of our own, where DIR is another directory or none; or another error. */
int storage_check_watched(const char *dir);
/* Become the one that drains, until *LOCK is closed. -EBUSY: another process drains. */
int storage_lock_drain(struct storage *storage, int *lock);
/*
 * Leave the rings: the lock is held as long as any process has them open or mapped. What is at
 * storage->file afterwards is memory like theirs, which hits that are late may use.
 */
int storage_leave(struct storage *storage);
/* Whether no process records any more, for a STORAGE that was opened; then none can begin to. */
bool storage_is_over(const struct storage *storage);
/* file_limit(), for tools, which write to the same files. */
int storage_limit(uint64_t size);
/* Have SIZE bytes in file FD, for certain: without them a store would be SIGBUS. */
int storage_reserve(int fd, size_t size);
/* Whether ERROR means that there is no room. */
bool storage_is_full(int error);
/* Remove the rings: all is in the files. */
void storage_remove_rings(struct storage *storage);

#endif
