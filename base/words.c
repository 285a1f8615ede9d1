/* SPDX-License-Identifier: BSD-2-Clause */
#include "words.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void words_add(struct words *words, char *word)
{
    if (words->count + 1 >= words->capacity) {
        words->capacity = words->capacity * 2 + 64;
        words->list = memory_resize(words->list, words->capacity, sizeof *words->list);
    }
    words->list[words->count++] = word;
    words->list[words->count] = NULL;
}

void words_free(struct words *words)
{
    free(words->list);
    *words = (struct words){0};
}

char *words_keep(char *word)
{
    static struct words kept;
    if (word)
        words_add(&kept, word);
    return word;
}

/* One word of TEXT; returns the place after it. */
static const char *split_word(struct words *words, const char *text)
{
    struct bytes word = {0};
    char quote = 0;
    for (; *text && (quote || !isspace((unsigned char)*text)); text++) {
        if (*text == '\\' && text[1])
            bytes_append(&word, ++text, 1);
        else if (quote ? *text == quote : *text == '\'' || *text == '"')
            quote = quote ? 0 : *text;
        else
            bytes_append(&word, text, 1);
    }
    bytes_append(&word, "", 1);
    words_add(words, words_keep((char *)word.data));
    return text;
}

void words_split(struct words *words, const char *text)
{
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (!*text)
            return;
        text = split_word(words, text);
    }
}

/* The whole text of a regular file; NULL if it cannot be read. */
static char *read_text(const char *path)
{
    struct stat status;
    char *text = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        size_t size = (size_t)status.st_size, got = 0;
        text = memory_zeroed(size + 1, 1);
        for (ssize_t n; got < size && (n = read(fd, text + got, size - got)) > 0;)
            got += (size_t)n;
    }
    close(fd);
    return text;
}

/* A file may name itself: libiberty also gives up after 2000 files. */
static void expand(struct words *words, char **argv, size_t count, unsigned *budget)
{
    for (size_t i = 0; i < count; i++) {
        char *text = argv[i][0] == '@' && *budget ? read_text(argv[i] + 1) : NULL;
        if (!text) {
            words_add(words, argv[i]);
            continue;
        }
        --*budget;
        struct words inside = {0};
        words_split(&inside, text);
        expand(words, inside.list, inside.count, budget);
        free(inside.list);
        free(text);
    }
}

void words_expand(struct words *words, char **argv)
{
    unsigned budget = 2000;
    size_t count = 0;
    while (argv[count])
        count++;
    expand(words, argv, count, &budget);
}

void words_quote(struct bytes *text, const char *word)
{
    if (!*word)
        bytes_append(text, "''", 2);
    for (; *word; word++) {
        if (isspace((unsigned char)*word) || strchr("\\'\"", *word))
            bytes_append(text, "\\", 1);
        bytes_append(text, word, 1);
    }
    bytes_append(text, "\n", 1);
}
