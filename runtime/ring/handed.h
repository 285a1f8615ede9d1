/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rings that a process hands over to a tool. A process cannot make files in the recording's
 * directory if it has another root or mounts of its own, or may not write there. Then its rings are
 * a memfd, which the tool opens through /proc/PID/fd, wherever the process lives, and the tool
 * makes all files. The metadata, which a process otherwise appends to its file, follow the rings in
 * the same memory: it stays mapped when the program closes all descriptors.
 *
 *     rings (ring.h)    ring_size()
 *     metadata          HANDED_ROOM: parts, one after the other, then zeros
 *
 * A part is a word, its text, and zeros up to a multiple of 8 bytes. The word says how long the
 * text is, and whether it is complete. The process and its forked children add parts, without a
 * lock that one of them could take into its grave: whoever changes the first word that is zero has
 * the room after it. A part whose writer was killed stays incomplete.
 */
#ifndef SDT_RECORDER_HANDED_H
#define SDT_RECORDER_HANDED_H

#include "storage.h"

#define HANDED_NAME "sdt-rings" /* of the memfd */
#define HANDED_ROOM 0x4000000   /* as much metadata as sdt reads */
#define HANDED_COMPLETE UINT64_C(0x8000000000000000)

/* In the process: make the rings that WANTED describes. The tool is given storage->rings, which the
 * process need not keep open. */
int handed_make(struct storage *storage, const struct ring_file *wanted);
/* Add a part to the metadata. -ENOSPC: there is no room. */
int handed_put(struct storage *storage, const char *text, size_t length);

/* In the tool: the rings in FD, of a memfd that is sealed; DIRECTORY is that of the trace. Both
 * descriptors become STORAGE's. */
int handed_open(struct storage *storage, int fd, int directory);
/*
 * The part of the metadata at *AT, which then is where the next one will be. False: there is none
 * yet. With IS_OVER nothing is added to them any more: what is incomplete is left out. The text may
 * change while it is read, if the process is hostile.
 */
bool handed_next(const struct storage *storage, bool is_over, size_t *at, const char **text,
                 size_t *length);

#endif
