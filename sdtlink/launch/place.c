/* SPDX-License-Identifier: BSD-2-Clause */
#include "place.h"

#include "diag.h"
#include "words.h"

#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *directory;
static unsigned count;
static pid_t owner; /* who made it */

/* Also where memory runs out; but not in workers. */
static void remove_at_exit(void)
{
    if (getpid() == owner)
        place_remove();
}

int place_create(void)
{
    owner = getpid();
    if (atexit(remove_at_exit) != 0)
        return diag_error("out of memory");
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = "/tmp";
    char *name = memory_format("%s%s/sdtlink.XXXXXX", parent[0] == '/' ? "" : "./", parent);
    if (!mkdtemp(name)) {
        diag_errno("cannot make a directory for processed objects in %s (see TMPDIR)", parent);
        free(name);
        return -1;
    }
    directory = name;
    return 0;
}

const char *place_directory(void)
{
    return directory;
}

/* How far NAME climbs above where it starts. */
static unsigned climb(const char *name)
{
    int depth = 0, lowest = 0;
    while (*name) {
        size_t length = strcspn(name, "/");
        if (length == 2 && !strncmp(name, "..", 2))
            depth--;
        else if (length > 0 && !(length == 1 && *name == '.'))
            depth++;
        lowest = depth < lowest ? depth : lowest;
        name += length;
        name += strspn(name, "/");
    }
    return (unsigned)-lowest;
}

/* Make every directory that PATH, which lies in ours, goes through. */
static int make_directories(char *path)
{
    for (char *slash = path + strlen(directory); (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        int result = mkdir(path, 0700);
        if (result != 0 && errno != EEXIST)
            return diag_errno("cannot make directory %s", path);
        *slash = '/';
    }
    return 0;
}

char *place_for(const char *original)
{
    struct bytes path = {0};
    /* An absolute name, too, may climb: `/../x` is `/x`, but not behind a prefix. */
    unsigned ups = climb(original);
    char *start = original[0] == '/' && ups == 0
                      ? memory_format("%s/%u.a", directory, count++)
                      : memory_format("%s/%u.%u/", directory, count++, ups);
    bytes_append(&path, start, strlen(start));
    for (unsigned i = 0; i < ups; i++)
        bytes_append(&path, "u/", 2);
    bytes_append(&path, original, strlen(original) + 1);
    free(start);
    if (make_directories((char *)path.data) == 0)
        return words_keep((char *)path.data);
    bytes_free(&path);
    return NULL;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
    (void)status, (void)type, (void)ftw;
    remove(path);
    return 0;
}

void place_remove(void)
{
    bool is_left = directory != NULL;
    /* nftw() takes memory: if there was none, there may be some now. */
    for (int tries = 0; is_left && tries < 2; tries++)
        is_left = nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0;
    if (is_left)
        diag_errno("cannot remove %s", directory);
    free(directory);
    directory = NULL;
}

/*
 * TEXT follows the directory's name. Returns the length of the rest of the prefix, 0 if it is none,
 * and in *UPS how many directories to climb are to be written for it.
 */
static size_t prefix_length(const char *text, size_t size, size_t *ups)
{
    size_t at = 1;
    *ups = 0;
    if (size < 1 || text[0] != '/')
        return 0;
    while (at < size && isdigit((unsigned char)text[at]))
        at++;
    if (at == 1 || at >= size || text[at++] != '.')
        return 0;
    if (at < size && text[at] == 'a')
        return at + 1;
    for (; at < size && isdigit((unsigned char)text[at]); at++)
        *ups = *ups * 10 + (size_t)(text[at] - '0');
    if (at >= size || text[at++] != '/')
        return 0;
    size_t present = 0;
    while (present < *ups && size - at >= 2 && !memcmp(text + at, "u/", 2)) {
        at += 2;
        present++;
    }
    *ups -= present;
    return at;
}

size_t place_strip(char *text, size_t size)
{
    static const char up[] = {'.', '.', '/'};
    size_t length = strlen(directory), kept = 0, ups;
    char *from = text, *end = text + size;
    while (from < end) {
        char *found = memmem(from, (size_t)(end - from), directory, length);
        size_t before = (size_t)((found ? found : end) - from);
        memmove(text + kept, from, before);
        kept += before;
        if (!found)
            break;
        from = found + length;
        size_t rest = prefix_length(from, (size_t)(end - from), &ups);
        if (rest == 0) {
            memmove(text + kept, found, length);
            kept += length;
        }
        /* Never more than what was there: each is the directory's name at least. */
        for (; rest > 0 && ups > 0 && kept + 3 <= (size_t)(from + rest - text); ups--) {
            memcpy(text + kept, up, sizeof up);
            kept += 3;
        }
        from += rest;
    }
    return kept;
}
