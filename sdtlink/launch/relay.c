/* SPDX-License-Identifier: BSD-2-Clause */
#include "relay.h"

#include "base/diag.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_one(struct relay *relay, int to)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return diag_errno("cannot make a pipe");
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *relay = (struct relay){.from = ends[0], .to = to, .write_end = ends[1]};
    return 0;
}

int relay_open(struct relay relays[MAX_RELAYS])
{
    struct stat out, err;
    if (open_one(&relays[0], STDERR_FILENO) != 0)
        return -1;
    if (fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0 &&
        out.st_dev == err.st_dev && out.st_ino == err.st_ino)
        return 1;
    return open_one(&relays[1], STDOUT_FILENO) == 0 ? 2 : -1;
}

void relay_attach(const struct relay *relays, int count)
{
    dup2(relays[0].write_end, STDERR_FILENO);
    dup2(relays[count - 1].write_end, STDOUT_FILENO);
}

void relay_started(struct relay *relays, int count)
{
    for (int i = 0; i < count; i++)
        close(relays[i].write_end);
}

/* All of it, to a descriptor that may be non-blocking. A failure cannot be reported to anyone. */
static void write_all(int to, const uint8_t *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(to, data, size);
        if (written > 0) {
            data += written;
            size -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            poll(&(struct pollfd){.fd = to, .events = POLLOUT}, 1, -1);
        } else if (written < 0 && errno != EINTR) {
            return;
        }
    }
}

/* Write the first SIZE bytes that wait, with the original names. */
static void write_waiting(struct relay *relay, size_t size)
{
    struct bytes *waiting = &relay->waiting;
    size_t kept = temporary_strip((char *)waiting->data, size);
    write_all(relay->to, waiting->data, kept);
    memmove(waiting->data, waiting->data + size, waiting->size - size);
    waiting->size -= size;
}

void relay_pass(struct relay *relay)
{
    char buffer[1 << 16];
    ssize_t got;
    while ((got = read(relay->from, buffer, sizeof buffer)) > 0) {
        bytes_append(&relay->waiting, buffer, (size_t)got);
        const uint8_t *end = memrchr(relay->waiting.data, '\n', relay->waiting.size);
        if (end)
            write_waiting(relay, (size_t)(end - relay->waiting.data) + 1);
    }
    if (got == 0 && relay->from >= 0) {
        close(relay->from);
        relay->from = -1; /* poll() then passes it over */
    }
}

void relay_finish(struct relay *relays, int count)
{
    for (int i = 0; i < count; i++) {
        struct relay *relay = &relays[i];
        if (relay->from >= 0)
            relay_pass(relay);
        if (relay->waiting.size)
            write_waiting(relay, relay->waiting.size);
        if (relay->from >= 0)
            close(relay->from);
        bytes_free(&relay->waiting);
    }
}

static int rewrite_text(int fd, size_t size)
{
    char *text = memory_zeroed(size + 1, 1);
    int result = -1;
    if (pread(fd, text, size, 0) == (ssize_t)size) {
        size_t kept = temporary_strip(text, size);
        result = kept == size                                 ? 0
                 : pwrite(fd, text, kept, 0) == (ssize_t)kept ? ftruncate(fd, (off_t)kept)
                                                              : -1;
    }
    free(text);
    return result;
}

int relay_restore_names(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT ? 0 : diag_errno("cannot correct the names in %s", path);
    int result = 0;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        rewrite_text(fd, (size_t)status.st_size) != 0)
        result = diag_errno("cannot correct the names in %s", path);
    close(fd);
    return result;
}
