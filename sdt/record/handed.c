/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See handed.h. The metadata must describe what is in the streams, so they are written after these:
 * what is in a ring has been described before.
 */
#include "handed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* All of TEXT, or nothing, to FD. */
static int append(int fd, const char *text, size_t length)
{
    off_t end = lseek(fd, 0, SEEK_END);
    int error = end < 0 ? -errno : storage_limit((uint64_t)end + length);
    for (size_t done = 0; done < length && !error;) {
        ssize_t n = write(fd, text + done, length - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            error = n < 0 ? -errno : -EIO;
    }
    if (error && end >= 0 && ftruncate(fd, end) != 0)
        return -errno;
    return error;
}

static int append_parts(const struct storage *storage, int fd, bool is_over, size_t *written)
{
    size_t at = *written, length;
    const char *text;
    int error = 0;
    while (!error && handed_next(storage, is_over, &at, &text, &length)) {
        error = append(fd, text, length);
        if (!error)
            *written = at;
    }
    return error;
}

int handed_write(const struct storage *storage, bool is_over, size_t *written)
{
    size_t at = *written, length;
    const char *text;
    if (!storage->handed || !handed_next(storage, is_over, &at, &text, &length))
        return 0;
    int fd = openat(storage->directory.fd, "metadata",
                    O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    int error = fd < 0 ? -errno : append_parts(storage, fd, is_over, written);
    if (fd >= 0)
        close(fd);
    return error;
}

int handed_begin(const struct storage *storage, size_t *written)
{
    static const char name[] = ".metadata";
    int directory = storage->directory.fd;
    int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    int error = fd < 0 ? -errno : append_parts(storage, fd, false, written);
    if (!error && renameat(directory, name, directory, "metadata") != 0)
        error = -errno;
    if (error && fd >= 0)
        unlinkat(directory, name, 0);
    if (fd >= 0)
        close(fd);
    return error;
}
