/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDT_BASE_READING_H
#define SDT_BASE_READING_H

#include <stdint.h>

/*
 * Read all of SIZE bytes at AT of file FD. Returns 0, or an errno; EIO where the file has become
 * shorter than it was said to be.
 */
int reading_all(int fd, void *to, uint64_t size, uint64_t at);

#endif
