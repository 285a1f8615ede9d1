/* SPDX-License-Identifier: BSD-2-Clause */
#include "described.h"

#include "diag.h"
#include "escape_append.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { SHOWN = 100 }; /* of a line, at most */

/* The file, or a part that is more than a description may have. */
static int read_text(const char *path, struct bytes *text)
{
    enum { PIECE = 1 << 16 };
    ssize_t got = 1;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && got != 0 && text->size <= DESCRIBE_MAX_BYTES) {
        size_t start = bytes_append(text, NULL, PIECE);
        got = read(fd, text->data + start, PIECE);
        text->size = start + (got > 0 ? (size_t)got : 0);
        if (got < 0 && errno != EINTR)
            break;
    }
    int result = fd < 0 || got < 0 ? diag_errno("cannot read %s", path) : 0;
    if (fd >= 0)
        close(fd);
    return result;
}

/* FILE:LINE:COLUMN, the line, and a caret below the place. */
static void complain(const char *path, const struct bytes *text, const struct describe_error *error)
{
    const char *data = (const char *)text->data, *at = data + error->offset;
    const char *begin = at, *end = at, *all = data + text->size;
    size_t line = 1;
    struct bytes shown = {0};
    for (const char *c = data; c < at; c++)
        line += *c == '\n';
    while (begin > data && begin[-1] != '\n')
        begin--;
    diag_error("%s:%zu:%zu: %s", path, line, (size_t)(at - begin) + 1, error->problem);
    if (at - begin > SHOWN)
        return;
    while (end < all && *end != '\n' && end - begin < SHOWN)
        end++;
    escape_append(&shown, (struct slice){begin, (size_t)(at - begin)});
    size_t column = shown.size;
    escape_append(&shown, (struct slice){at, (size_t)(end - at)});
    fprintf(stderr, "  %.*s\n  %*s^\n", (int)shown.size, (const char *)shown.data, (int)column, "");
    bytes_free(&shown);
}

char *described_text(const char *path, size_t *length)
{
    struct bytes text = {0};
    int result = read_text(path, &text);
    *length = text.size;
    bytes_append(&text, "", 1);
    if (result == 0)
        return (char *)text.data;
    bytes_free(&text);
    return NULL;
}

int described_read(const char *path, struct description **description)
{
    struct bytes text = {0};
    struct describe_error error;
    int result = read_text(path, &text);
    bytes_append(&text, "", 1); /* there is a place after the end */
    text.size--;
    if (result == 0) {
        *description = describe_parse((const char *)text.data, text.size, &error);
        if (!*description) {
            complain(path, &text, &error);
            result = -1;
        }
    }
    bytes_free(&text);
    return result;
}
