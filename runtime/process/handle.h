/* SPDX-License-Identifier: BSD-2-Clause */
/* Our file descriptors in the host program. */
#ifndef SDT_HANDLE_H
#define SDT_HANDLE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * A descriptor in the host program. The program may close all descriptors that it does not know, as
 * daemons do, and get the same number for a file of its own: so before each use, check which file
 * it is.
 */
struct handle {
    int fd; /* -1: none */
    dev_t device;
    ino_t inode;
};
/* FD, or -1, as a handle; it is not 0 to 2, which programs take for the standard streams. */
struct handle handle_keep(int fd);
bool handle_is_ours(const struct handle *handle);
void handle_close(struct handle *handle);

#endif
