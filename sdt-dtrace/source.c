/* SPDX-License-Identifier: BSD-2-Clause */
#include "source.h"

#include "base/diag.h"
#include "base/escape.h"
#include "command.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The most that a message shows of a line. */
enum { SHOWN = 100 };

static int preprocess(struct source *source, const struct options *options)
{
    struct words words = {0};
    static char language[] = "-x", c[] = "c";
    command_add_variable(&words, "CPP", "cpp");
    for (size_t i = 0; i < options->macros.count; i++)
        words_add(&words, options->macros.list[i]);
    /* The name ends in .d, which would tell a compiler nothing. */
    words_add(&words, language);
    words_add(&words, c);
    words_add(&words, (char *)options->input);
    int result = command_run(&words, NULL, &source->text);
    words_free(&words);
    return result;
}

static int read_file(struct source *source)
{
    enum { PIECE = 1 << 16 };
    ssize_t got = 1;
    int fd = open(source->path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && got != 0) {
        size_t start = bytes_append(&source->text, NULL, PIECE);
        got = read(fd, source->text.data + start, PIECE);
        source->text.size = start + (got > 0 ? (size_t)got : 0);
        if (got < 0 && errno != EINTR)
            break;
    }
    if (fd < 0 || got < 0)
        diag_errno("cannot read %s", source->path);
    if (fd >= 0)
        close(fd);
    return fd < 0 || got < 0 ? -1 : 0;
}

static void terminate(struct source *source)
{
    bytes_append(&source->text, "", 1);
    source->text.size--;
}

int source_read(struct source *source, const struct options *options)
{
    *source = (struct source){.path = options->input, .is_preprocessed = options->preprocess};
    int result = options->preprocess ? preprocess(source, options) : read_file(source);
    terminate(source);
    return result;
}

void source_set(struct source *source, const char *path, const void *text, size_t size)
{
    *source = (struct source){.path = path};
    bytes_append(&source->text, text, size);
    terminate(source);
}

void source_free(struct source *source)
{
    bytes_free(&source->text);
}

/* Where an offset lies. */
struct spot {
    struct slice file;
    size_t line;
    size_t start, end; /* of the line in the text, without its newline */
};

/* `# 12 "probes.d" 1`: the next line is line 12 of probes.d. */
static void follow_marker(struct spot *spot, const char *text)
{
    char *end;
    if (text[0] != '#' || text[1] != ' ' || !isdigit((unsigned char)text[2]))
        return;
    unsigned long line = strtoul(text + 2, &end, 10);
    if (end[0] != ' ' || end[1] != '"')
        return;
    spot->line = line;
    spot->file = (struct slice){end + 2, strcspn(end + 2, "\"\n")};
}

static struct spot find(const struct source *source, size_t offset)
{
    const char *text = (const char *)source->text.data;
    struct spot spot = {.file = slice_of(source->path), .line = 1};
    for (;;) {
        const char *newline = memchr(text + spot.start, '\n', source->text.size - spot.start);
        spot.end = newline ? (size_t)(newline - text) : source->text.size;
        if (offset <= spot.end || !newline)
            return spot;
        spot.line++;
        if (source->is_preprocessed)
            follow_marker(&spot, text + spot.start);
        spot.start = spot.end + 1;
    }
}

size_t source_line(const struct source *source, size_t offset)
{
    return find(source, offset).line;
}

/* The line and a caret below: what is not printable ASCII is shown as a point, so that they fit. */
static void show(const struct source *source, const struct spot *spot, size_t offset)
{
    size_t start = spot->start, end = spot->end;
    if (offset - start > SHOWN / 2)
        start = offset - SHOWN / 2;
    if (end - start > SHOWN)
        end = start + SHOWN;
    fputs("    ", stderr);
    for (size_t i = start; i < end; i++) {
        unsigned char c = source->text.data[i];
        fputc(isprint(c) ? c : isspace(c) ? ' ' : '.', stderr);
    }
    fprintf(stderr, "\n    %*s^\n", (int)(offset - start), "");
}

static void complain(const struct source *source, size_t offset, const char *word,
                     const char *format, va_list arguments)
{
    struct spot spot = find(source, offset);
    fflush(stdout);
    escape_print(stderr, spot.file);
    fprintf(stderr, ":%zu:%zu: %s: ", spot.line, offset - spot.start + 1, word);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    show(source, &spot, offset);
}

int source_error(const struct source *source, size_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(source, offset, "error", format, arguments);
    va_end(arguments);
    return -1;
}

void source_warn(const struct source *source, size_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(source, offset, "warning", format, arguments);
    va_end(arguments);
}
