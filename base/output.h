/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The output file: written beside its final place under a temporary name, renamed when it is right.
 * Whatever happens before the rename (an error, a signal, a full disk) the previous output stays as
 * it was and the temporary file is removed. Because of that, the output may have the input's name.
 */
#ifndef SDT_BASE_OUTPUT_H
#define SDT_BASE_OUTPUT_H

#include "copier.h"
#include "memory.h"

#include <sys/types.h>

struct output {
    const char *path;
    char *temporary;
    int fd;
    struct copier *copier; /* runs between output_begin_copy() and output_end_copy() */
    struct bytes waiting;  /* put, but not written yet */
    uint64_t start;        /* where its first byte goes */
    uint64_t end;          /* how far the file has been written */
};

/*
 * Occupy the standard streams that are closed: else the output, opened next, would get the number
 * of one, and every message would be written into it. A line of a message is then one write: the
 * processes of a parallel build share standard error.
 */
void output_guard_streams(void);
/* At the end of a program: a write error on standard output (a full disk, a closed pipe) must not
 * look like success. STATUS, or STATUS_FAILED for 0 after a message. */
int output_flush(int status);
/* Let the process end with a message, not a signal, if a mapped file is truncated meanwhile. */
void output_guard_reading(void);
/* Could PATH be an output, by its name and what is there? Creates nothing. */
int output_check(const char *path);
int output_open(struct output *output, const char *path, mode_t mode);
/* The same for a new file in a directory of ours, which nobody looks into: no temporary name. */
int output_open_private(struct output *output, const char *path);
/*
 * Start to copy COUNT ranges of file INPUT to the same places, in the background: nothing may be
 * written before output_end_copy().
 */
void output_begin_copy(struct output *output, int input, const struct byte_range *ranges,
                       size_t count);
/* Wait for that copy; reports its failure. */
int output_end_copy(struct output *output);
/* Copy BYTES of file INPUT to TO. */
int output_copy(struct output *output, int input, struct byte_range bytes, uint64_t to);
/* BYTES are about to be written. */
void output_reserve(struct output *output, struct byte_range bytes);
/* Write SIZE bytes at OFFSET. Small pieces that follow each other are written together, later. */
int output_put(struct output *output, const void *data, size_t size, uint64_t offset);
/* Write what is still waiting, and cut the file off at SIZE. */
int output_finish(struct output *output, uint64_t size);
/* Close, rename into place. */
int output_commit(struct output *output);
/* The last step of a command: everything that was said is out, then that. 0, or -1. */
int output_deliver(struct output *output);
/* Remove what was not committed; does nothing after output_commit(). */
void output_abandon(struct output *output);

#endif
