/* SPDX-License-Identifier: BSD-2-Clause */
/* See handle.h. */
#define _GNU_SOURCE
#include "handle.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Not by the C library's fstat(): that hands the kernel an empty path from a page that may not be
 * there yet, and the kernel looks the path up. */
static bool find_status(int fd, struct stat *status)
{
    return syscall(SYS_fstat, fd, status) == 0;
}

struct handle handle_keep(int fd)
{
    enum { STANDARD = 3 };
    struct stat status;
    if (fd >= 0 && fd < STANDARD) {
        int other = fcntl(fd, F_DUPFD_CLOEXEC, STANDARD);
        close(fd);
        fd = other;
    }
    if (fd < 0 || !find_status(fd, &status))
        return (struct handle){.fd = -1};
    return (struct handle){fd, status.st_dev, status.st_ino};
}

bool handle_is_ours(const struct handle *handle)
{
    struct stat status;
    return handle->fd >= 0 && find_status(handle->fd, &status) && status.st_dev == handle->device &&
           status.st_ino == handle->inode;
}

void handle_close(struct handle *handle)
{
    if (handle_is_ours(handle))
        close(handle->fd);
    handle->fd = -1;
}
