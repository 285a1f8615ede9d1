/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared: the kernel puts the breakpoints of tracers (uprobes) into each private mapping of a file
 * that may become executable, and there we would read them for the bytes of the file.
 */
#include "mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool mapping_of(struct mapping *mapping, int fd)
{
    struct stat status;
    *mapping = (struct mapping){0};
    if (fstat(fd, &status) != 0)
        return false;
    if (!S_ISREG(status.st_mode) || status.st_size == 0) {
        errno = EINVAL;
        return false;
    }
    void *data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED)
        return false;
    *mapping = (struct mapping){data, (size_t)status.st_size};
    return true;
}

bool mapping_open(struct mapping *mapping, const char *path)
{
    /* O_NONBLOCK: a FIFO without a writer is refused, not waited for. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *mapping = (struct mapping){0};
    if (fd < 0)
        return false;
    bool is_mapped = mapping_of(mapping, fd);
    int error = errno;
    close(fd);
    errno = error;
    return is_mapped;
}

void mapping_close(struct mapping *mapping)
{
    if (mapping->data)
        munmap((void *)(uintptr_t)mapping->data, mapping->size);
    *mapping = (struct mapping){0};
}
