/* SPDX-License-Identifier: BSD-2-Clause */
#include "output.h"

#include "diag.h"
#include "memory.h"
#include "status.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The temporary file that a signal or exit() has to remove: a copy of its name, since the signal
 * may come while the owner changes its pointer. Changed with the signals blocked.
 */
static char pending[4096];

static void block(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, before);
}

static void unblock(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

static void forget_pending(void)
{
    sigset_t before;
    block(&before);
    pending[0] = '\0';
    unblock(&before);
}

static void remove_pending(void)
{
    if (pending[0])
        unlink(pending);
}

/* SA_RESETHAND: the second raise() ends the process with the signal, as its parent expects. */
static void on_signal(int number)
{
    remove_pending();
    raise(number);
}

/* Inputs are mapped; if one is truncated meanwhile, the rest of the mapping is inaccessible. */
static void on_bus_error(int number)
{
    static const char message[] = ": error: a file was truncated while it was being read\n";
    const char *program = diag_program(); /* NOLINT(*-signal-handler,cert-sig30-c): one load */
    (void)number;
    remove_pending();
    ssize_t written = write(STDERR_FILENO, program, strlen(program));
    written += write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(EXIT_FAILURE);
}

/*
 * Opened the wrong way round, so that a write fails as it would have; and gone in programs that we
 * start, which may care for themselves.
 */
void output_guard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) != fd)
            break; /* no /dev/null: nothing to be done */
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
}

void output_guard_reading(void)
{
    signal(SIGBUS, on_bus_error);
}

int output_flush(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    diag_errno("cannot write to standard output");
    return status ? status : STATUS_FAILED;
}

static void guard(void)
{
    static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    static int is_guarded;
    if (is_guarded++)
        return;
    atexit(remove_pending);
    /* A write beyond RLIMIT_FSIZE then fails with EFBIG, which is reported. */
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
        struct sigaction old, action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
        if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(deadly[i], &action, NULL);
    }
}

/* The permissions that `open(path, O_CREAT, 0666)` would give. */
static mode_t default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* No signal may come between the creation of the file and the note of its name. */
static int create(char *name)
{
    sigset_t before;
    block(&before);
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        memcpy(pending, name, strlen(name) + 1);
    unblock(&before);
    return fd;
}

int output_check(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return diag_error("cannot write %s: it exists and is not a regular file", path);
    if (strlen(path) + sizeof ".XXXXXX" > sizeof pending)
        return diag_error("cannot write %s: the name is too long", path);
    return 0;
}

int output_open(struct output *output, const char *path, mode_t mode)
{
    *output = (struct output){.path = path, .fd = -1};
    if (output_check(path) != 0)
        return -1;
    guard();
    output->temporary = memory_format("%s.XXXXXX", path);
    output->fd = create(output->temporary);
    if (output->fd < 0) {
        diag_errno("cannot create a file beside %s", path);
        free(output->temporary);
        output->temporary = NULL;
        return -1;
    }
    if (fchmod(output->fd, mode ? mode & 0777 : default_mode()) != 0)
        return diag_errno("cannot set the permissions of %s", output->temporary);
    return 0;
}

int output_open_private(struct output *output, const char *path)
{
    *output = (struct output){.path = path};
    guard();
    output->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return output->fd < 0 ? diag_errno("cannot create %s", path) : 0;
}

static void note_end(struct output *output, uint64_t end)
{
    if (end > output->end)
        output->end = end;
}

static int write_at(struct output *output, const uint8_t *data, size_t size, uint64_t offset)
{
    while (size > 0) {
        ssize_t written = pwrite(output->fd, data, size, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0 || (written < 0 && errno == EFAULT)) /* a mapped input became shorter */
            errno = EIO;
        if (written <= 0)
            return diag_errno("cannot write %s", output->path);
        data += written;
        size -= (size_t)written;
        offset += (size_t)written;
    }
    note_end(output, offset);
    return 0;
}

void output_begin_copy(struct output *output, int input, const struct byte_range *ranges,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        note_end(output, ranges[i].end);
    output->copier = copier_start(input, output->fd, ranges, count);
}

int output_end_copy(struct output *output)
{
    struct copier *copier = output->copier;
    output->copier = NULL;
    if (copier && copier_join(copier) != 0)
        return diag_errno("cannot write %s", output->path);
    return 0;
}

int output_copy(struct output *output, int input, struct byte_range bytes, uint64_t to)
{
    if (copy_bytes(input, output->fd, bytes, to) != 0)
        return diag_errno("cannot write %s", output->path);
    note_end(output, to + (bytes.end - bytes.start));
    return 0;
}

void output_reserve(struct output *output, struct byte_range bytes)
{
    copy_reserve(output->fd, bytes);
}

static int flush(struct output *output)
{
    int result = write_at(output, output->waiting.data, output->waiting.size, output->start);
    output->waiting.size = 0;
    return result;
}

int output_put(struct output *output, const void *data, size_t size, uint64_t offset)
{
    enum { ENOUGH = 1 << 16 };
    struct bytes *waiting = &output->waiting;
    bool follows = offset == output->start + waiting->size;
    if ((!follows || waiting->size + size > ENOUGH) && flush(output) != 0)
        return -1;
    if (size > ENOUGH)
        return write_at(output, data, size, offset);
    if (waiting->size == 0)
        output->start = offset;
    if (!waiting->data)
        bytes_reserve(waiting, ENOUGH);
    if (size > 0)
        bytes_append(waiting, data, size);
    return 0;
}

int output_finish(struct output *output, uint64_t size)
{
    if (flush(output) != 0)
        return -1;
    if (size != output->end && ftruncate(output->fd, (off_t)size) != 0)
        return diag_errno("cannot write %s", output->path);
    return 0;
}

int output_commit(struct output *output)
{
    int fd = output->fd;
    output->fd = -1;
    if (close(fd) != 0)
        return diag_errno("cannot write %s", output->path);
    bytes_free(&output->waiting);
    if (!output->temporary)
        return 0;
    if (rename(output->temporary, output->path) != 0)
        return diag_errno("cannot rename %s to %s", output->temporary, output->path);
    forget_pending();
    free(output->temporary);
    output->temporary = NULL;
    return 0;
}

/*
 * The last step, after the summary. An exit status of 1 means that the previous output is there
 * still, also if it is the summary that could not be written: main() says so then. Who has closed
 * standard output wants none.
 */
int output_deliver(struct output *output)
{
    fflush(stderr); /* buffered in the launcher's workers: warnings come first */
    if (fflush(stdout) != 0) {
        if (errno != EBADF)
            return -1;
        __fpurge(stdout);
        clearerr(stdout);
    }
    return output_commit(output);
}

void output_abandon(struct output *output)
{
    if (output->copier)
        copier_cancel(output->copier);
    output->copier = NULL;
    if (output->fd >= 0)
        close(output->fd);
    output->fd = -1;
    bytes_free(&output->waiting);
    if (!output->temporary)
        return;
    unlink(output->temporary);
    forget_pending();
    free(output->temporary);
    output->temporary = NULL;
}
