/* SPDX-License-Identifier: BSD-2-Clause */
/* See handle.h. */
#define _GNU_SOURCE
#include "handle.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct handle handle_keep(int fd)
{
    enum { STANDARD = 3 };
    struct stat status;
    if (fd >= 0 && fd < STANDARD) {
        int other = fcntl(fd, F_DUPFD_CLOEXEC, STANDARD);
        close(fd);
        fd = other;
    }
    if (fd < 0 || fstat(fd, &status) != 0)
        return (struct handle){.fd = -1};
    return (struct handle){fd, status.st_dev, status.st_ino};
}

bool handle_is_ours(const struct handle *handle)
{
    struct stat status;
    return handle->fd >= 0 && fstat(handle->fd, &status) == 0 && status.st_dev == handle->device &&
           status.st_ino == handle->inode;
}

void handle_close(struct handle *handle)
{
    if (handle_is_ours(handle))
        close(handle->fd);
    handle->fd = -1;
}
