/* SPDX-License-Identifier: BSD-2-Clause */
#include "reading.h"

#include <errno.h>
#include <unistd.h>

int reading_all(int fd, void *to, uint64_t size, uint64_t at)
{
    while (size > 0) {
        ssize_t got = pread(fd, to, size, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? errno : EIO; /* it has become shorter */
        to = (uint8_t *)to + got;
        size -= (uint64_t)got;
        at += (uint64_t)got;
    }
    return 0;
}
