/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a recording is: directories, the file of its rings, and who may do what with it.
 *
 *     DIR/.sdt-recording         says that DIR is a recording
 *     DIR/PROGRAM-PID/metadata   locked (flock) by whoever drains the rings
 *     DIR/PROGRAM-PID/.rings     the rings, or a symbolic link to them in /dev/shm; locked, shared,
 *                                by whoever records
 *
 * The rings are in /dev/shm, since pages of files on disk are written back behind the program's
 * back, and a store to a page that is being written waits for the disk. Where there is no room,
 * they are in the directory.
 */
#ifndef SDT_RECORDER_HOME_H
#define SDT_RECORDER_HOME_H

#include "ring.h"

struct home {
    int directory; /* DIR/PROGRAM-PID */
    int rings;     /* descriptor; the lock is its open file description's, which children share */
    struct ring_file *file;
    size_t size;
};

/* Open DIR, which is or becomes a recording; its descriptor, or an error: -EEXIST if it is neither
 * empty nor a recording. */
int home_recording(const char *dir);
/* Make DIR, if need be, and in it a directory for PROGRAM and this process; rings as WANTED says.
 */
int home_make(struct home *home, const char *dir, const char *program,
              const struct ring_file *wanted);
/* Open the rings in DIRECTORY, whose descriptor becomes HOME's; -ENOENT: there are none. */
int home_open(struct home *home, int directory);
void home_close(struct home *home);

/* Be who drains: *LOCK is to be closed. -EBUSY: somebody else is. */
int home_lock_drain(const struct home *home, int *lock);
/*
 * Leave the rings: the lock is held as long as somebody has them open or mapped. What is at
 * home->file afterwards is memory like theirs, which hits that are late may use.
 */
int home_leave(struct home *home);
/* Whether nobody records any more, for a HOME that was opened; then nobody can begin to. */
bool home_is_over(const struct home *home);
/* Remove the rings: all is in the files. */
void home_remove_rings(const struct home *home);

#endif
