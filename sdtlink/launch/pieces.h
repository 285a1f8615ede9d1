/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An object to scan, in memory or in a file.
 *
 * Only the requested pieces of a file are read, which takes a third of the time of mapping it.
 * Pieces of all members of an archive go into the same memory, which is then in the processor's
 * cache. A mapping costs a page fault for every few pages, and unmapping interrupts other
 * processors.
 */
#ifndef SDTLINK_LAUNCH_PIECES_H
#define SDTLINK_LAUNCH_PIECES_H

#include "base/memory.h"

/* A step is read where only a few bytes are needed, a window where the next ones will be near. */
enum { PIECES_STEP = 1 << 12, PIECES_WINDOW = 1 << 14 };

struct pieces {
    const uint8_t *image;      /* NULL: in a file */
    uint64_t size;             /* of the object */
    uint64_t start, file_size; /* where it begins in the file */
    int fd;
    int error;       /* an errno: of the first read that failed */
    uint8_t *window; /* room for PIECES_WINDOW bytes; those that have been read last */
    uint64_t window_at, window_size; /* and where in the file they are */
};

/* From here on the object is the one of SIZE bytes at START of the file. */
void pieces_move(struct pieces *pieces, uint64_t start, uint64_t size);
/* The object's last bytes will be asked for, or all of them; and then what follows, up to END. */
void pieces_expect(struct pieces *pieces, uint64_t end);
/* A few bytes at OFFSET; false: they are not there, or cannot be read. */
bool pieces_read(struct pieces *pieces, uint64_t offset, void *to, size_t size);
/* Any number of bytes; NULL: the same. ROOM is where they may be put, and can be used again. */
const uint8_t *pieces_get(struct pieces *pieces, uint64_t offset, uint64_t size,
                          struct bytes *room);

#endif
