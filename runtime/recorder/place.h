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
#ifndef SDT_RECORDER_PLACE_H
#define SDT_RECORDER_PLACE_H

#include "ring.h"

struct place {
    int directory; /* DIR/PROGRAM-PID */
    int rings;     /* descriptor; the lock is its open file description's, which children share */
    struct ring_file *file;
    size_t size;
};

/* Make DIR, if need be, and in it a directory for PROGRAM and this process; rings as WANTED says.
 */
int place_make(struct place *place, const char *dir, const char *program,
               const struct ring_file *wanted);
/* Open the rings in DIRECTORY, whose descriptor becomes PLACE's; -ENOENT: there are none. */
int place_open(struct place *place, int directory);
void place_close(struct place *place);

/* Be who drains: *LOCK is to be closed. -EBUSY: somebody else is. */
int place_lock_drain(const struct place *place, int *lock);
/*
 * Leave the rings: the lock is held as long as somebody has them open or mapped. What is at
 * place->file afterwards is memory like theirs, which hits that are late may use.
 */
int place_leave(struct place *place);
/* Whether nobody records any more, for a PLACE that was opened; then nobody can begin to. */
bool place_is_over(const struct place *place);
/* Remove the rings: all is in the files. */
void place_remove_rings(const struct place *place);

#endif
