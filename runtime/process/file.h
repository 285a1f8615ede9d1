/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that we make in the host program. */
#ifndef SDT_FILE_H
#define SDT_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Whether this process may have a file of SIZE bytes: -EFBIG. One that tried would get SIGXFSZ,
 * which ends it. That holds for files in memory as well. */
int file_limit(uint64_t size);

/* A file in memory of SIZE bytes, that no other user may open, and whose size cannot be changed:
 * its descriptor, or -errno. */
int file_in_memory(const char *name, size_t size);

#endif
