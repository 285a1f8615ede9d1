/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The output file: written beside its final place under a temporary name, renamed when it is right.
 * Whatever happens before the rename (an error, a signal, a full disk) the previous output stays as
 * it was and the temporary file is removed. Because of that, the output may have the input's name.
 */
#ifndef SDTLINK_OUTPUT_H
#define SDTLINK_OUTPUT_H

#include "memory.h"

#include <sys/types.h>

struct output {
    const char *path;
    char *temporary;
    int fd;
    struct bytes waiting; /* put, but not written yet */
    uint64_t start;       /* where its first byte goes */
};

int output_open(struct output *output, const char *path, mode_t mode);
/*
 * Copy bytes [start, end) of file INPUT, which is mapped at IMAGE, to TO. By the kernel, from file
 * to file, where it can: what was changed in a private mapping may be left out.
 */
int output_copy(struct output *output, int input, const uint8_t *image, uint64_t start,
                uint64_t end, uint64_t to);
/* Write SIZE bytes at OFFSET. Small pieces that follow each other are written together, later. */
int output_put(struct output *output, const void *data, size_t size, uint64_t offset);
/* Write what is still waiting. */
int output_flush(struct output *output);
/* Close, rename into place. */
int output_commit(struct output *output);
/* Remove what was not committed; does nothing after output_commit(). */
void output_abandon(struct output *output);

#endif
