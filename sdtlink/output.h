/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The output file: written beside its final place under a temporary name, renamed when it is right.
 * Whatever happens before the rename (an error, a signal, a full disk) the previous output stays as
 * it was and the temporary file is removed. Because of that, the output may have the input's name.
 */
#ifndef SDTLINK_OUTPUT_H
#define SDTLINK_OUTPUT_H

#include <stddef.h>
#include <sys/types.h>

struct output {
    const char *path;
    char *temporary;
    int fd;
};

int output_open(struct output *output, const char *path, mode_t mode);
/* Write SIZE bytes as they are. */
int output_write(struct output *output, const void *data, size_t size);
/* Close, rename into place. */
int output_commit(struct output *output);
/* Remove what was not committed; does nothing after output_commit(). */
void output_abandon(struct output *output);

#endif
