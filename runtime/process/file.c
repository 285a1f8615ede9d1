/* SPDX-License-Identifier: BSD-2-Clause */
/* See file.h. */
#define _GNU_SOURCE
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int file_limit(uint64_t size)
{
    struct rlimit most;
    return getrlimit(RLIMIT_FSIZE, &most) == 0 && size > most.rlim_cur ? -EFBIG : 0;
}

static int make(int fd, size_t size)
{
    int error = file_limit(size);
    if (error)
        return error;
    bool is_made = fchmod(fd, 0600) == 0 && ftruncate(fd, (off_t)size) == 0 &&
                   fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
    return is_made ? 0 : -errno;
}

int file_in_memory(const char *name, size_t size)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int error = fd < 0 ? -errno : make(fd, size);
    if (!error)
        return fd;
    if (fd >= 0)
        close(fd);
    return error;
}
