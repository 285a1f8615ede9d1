/* SPDX-License-Identifier: BSD-2-Clause */
#include "command.h"

#include "base/diag.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Makefiles may export variables with lines that end in a backslash, which make removes only when
 * it expands them: white space follows such a backslash.
 */
static char *join_lines(const char *value)
{
    char *joined = memory_format("%s", value);
    for (char *c = joined; *c; c++)
        if (c[0] == '\\' && (c[1] == '\n' || c[1] == '\r'))
            c[0] = c[1] = ' ';
    return joined;
}

void command_add_variable(struct words *words, const char *variable, const char *fallback)
{
    const char *value = getenv(variable);
    char *joined = join_lines(value && *value ? value : fallback);
    words_split(words, joined);
    free(joined);
}

/* A file in memory: unlike a pipe, it does not have to be fed while the program runs. */
static int open_input(const struct bytes *input)
{
    int fd = memfd_create("sdt-dtrace", MFD_CLOEXEC);
    for (size_t at = 0; fd >= 0 && at < input->size;) {
        ssize_t written = write(fd, input->data + at, input->size - at);
        if (written <= 0) {
            close(fd);
            return -1;
        }
        at += (size_t)written;
    }
    if (fd >= 0)
        lseek(fd, 0, SEEK_SET);
    return fd;
}

static int read_all(int fd, struct bytes *output)
{
    enum { PIECE = 1 << 16 };
    for (;;) {
        size_t start = bytes_append(output, NULL, PIECE);
        ssize_t got = read(fd, output->data + start, PIECE);
        output->size = start + (got > 0 ? (size_t)got : 0);
        if (got == 0)
            return 0;
        if (got < 0 && errno != EINTR)
            return -1;
    }
}

static int wait_for(pid_t child, const char *name)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return diag_errno("cannot wait for %s", name);
    if (WIFSIGNALED(status))
        return diag_error("%s was ended by signal %d", name, WTERMSIG(status));
    if (WEXITSTATUS(status) != 0)
        return diag_error("%s failed, with exit status %d", name, WEXITSTATUS(status));
    return 0;
}

/* STREAMS: what becomes its standard input and output; -1: as ours. */
static int start(pid_t *child, const struct words *words, const int streams[2])
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 2; i++)
        if (streams[i] >= 0)
            posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    int error = posix_spawnp(child, words->list[0], &actions, NULL, words->list, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = error;
    return error ? diag_errno("cannot run %s", words->list[0]) : 0;
}

int command_run(const struct words *words, const struct bytes *input, struct bytes *output)
{
    int streams[2] = {-1, -1}, reading = -1, result = -1;
    pid_t child;
    if (words->count == 0)
        return diag_error("the name of a program is empty");
    if (input && (streams[0] = open_input(input)) < 0) {
        diag_errno("cannot make a file in memory");
        goto done;
    }
    if (output) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) {
            diag_errno("cannot make a pipe");
            goto done;
        }
        reading = ends[0];
        streams[1] = ends[1];
    }
    if (start(&child, words, streams) != 0)
        goto done;
    if (output) {
        close(streams[1]); /* ours: the pipe ends with the child's */
        streams[1] = -1;
        if (read_all(reading, output) != 0)
            diag_errno("cannot read what %s writes", words->list[0]);
    }
    result = wait_for(child, words->list[0]);
done:
    for (int i = 0; i < 2; i++)
        if (streams[i] >= 0)
            close(streams[i]);
    if (reading >= 0)
        close(reading);
    return result;
}
