/* SPDX-License-Identifier: BSD-2-Clause */
/* The contents of a regular file in memory, to be read. */
#ifndef SDT_BASE_MAPPING_H
#define SDT_BASE_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping {
    const uint8_t *data; /* NULL: nothing is mapped */
    size_t size;
};

/*
 * Map the file of FD, which can be closed before the mapping is, or that of PATH. False: it cannot
 * be, for the reason in errno; it is EINVAL for an empty file, or one that is not regular. A later
 * writer of the file changes the mapping, and one that makes it shorter may end us.
 */
bool mapping_of(struct mapping *mapping, int fd);
bool mapping_open(struct mapping *mapping, const char *path);
void mapping_close(struct mapping *mapping);

#endif
