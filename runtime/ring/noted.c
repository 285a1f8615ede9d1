/* SPDX-License-Identifier: BSD-2-Clause */
/* See noted.h. Words are as in the metadata: what could end one is in hexadecimal. */
#define _GNU_SOURCE
#include "noted.h"

#include "ring.h"
#include "storage.h"

#include "process/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* TEXT as a word; an empty one, or none, is `-`. */
static void put_word(FILE *out, const char *text)
{
    if (!text || !*text)
        fputc('-', out);
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool is_plain = c > ' ' && c < 0x7f && c != '%' && c != '-';
        fprintf(out, is_plain ? "%c" : "%%%02x", c);
    }
}

/* In one write: a reader never finds half a line, and lines of several writers do not mix. */
static int add(int directory, const char *line, size_t length)
{
    int fd = openat(directory, NOTED_FILE,
                    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
    if (fd < 0)
        return -errno;
    off_t end = lseek(fd, 0, SEEK_END);
    int error = end < 0 ? -errno : file_limit((uint64_t)end + length);
    ssize_t n = error ? 0 : write(fd, line, length);
    if (!error && n != (ssize_t)length)
        error = n < 0 ? -errno : -ENOSPC;
    close(fd);
    return error;
}

static int finish(int directory, FILE *out, char **line, const size_t *length)
{
    int error = fclose(out) == 0 ? add(directory, *line, *length) : -ENOMEM;
    free(*line);
    return error;
}

int noted_pair(int directory, const char *pair)
{
    char *line = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&line, &length);
    if (!out)
        return -ENOMEM;
    fputs("pair ", out);
    put_word(out, pair);
    fputc('\n', out);
    return finish(directory, out, &line, &length);
}

int noted_snapshot(int directory, const struct ring_cause *cause)
{
    char *line = NULL;
    size_t length = 0;
    FILE *out = cause->time ? open_memstream(&line, &length) : NULL;
    if (!out)
        return cause->time ? -ENOMEM : 0;
    fprintf(out, "snapshot %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
            cause->time, cause->ns, cause->pid, cause->tid, cause->class);
    return finish(directory, out, &line, &length);
}
