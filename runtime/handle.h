/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptors of ours in a program of somebody else. */
#ifndef SDT_HANDLE_H
#define SDT_HANDLE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * A descriptor in somebody else's program, which may close all that it does not know, as daemons
 * do, and get the same number for a file of its own: before each use, look at what it is.
 */
struct handle {
    int fd; /* -1: none */
    dev_t device;
    ino_t inode;
};
/* FD, or -1, as a handle; it is none of the first three, which programs think they know. */
struct handle handle_keep(int fd);
bool handle_is_ours(const struct handle *handle);
void handle_close(struct handle *handle);

#endif
