/* SPDX-License-Identifier: BSD-2-Clause */
#include "launch_place.h"

#include "diag.h"

#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *directory;
static unsigned count;

int place_create(void)
{
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

unsigned place_climb(const char *name)
{
    int depth = 0, lowest = 0;
    if (*name == '/')
        return 0;
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

char *place_prefix(unsigned climb)
{
    char *start = memory_format("%s/%u.%u/", directory, count++, climb);
    struct bytes prefix = {0};
    bytes_append(&prefix, start, strlen(start));
    for (unsigned i = 0; i < climb; i++)
        bytes_append(&prefix, "u/", 2);
    bytes_append(&prefix, "", 1);
    free(start);
    return (char *)prefix.data;
}

char *place_below(const char *prefix, const char *original)
{
    char *path = memory_format("%s%s", prefix, original);
    if (make_directories(path) == 0)
        return path;
    free(path);
    return NULL;
}

char *place_for(const char *original)
{
    char *prefix = place_prefix(place_climb(original));
    char *path = place_below(prefix, original);
    free(prefix);
    return path;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
    (void)status, (void)type, (void)ftw;
    remove(path);
    return 0;
}

void place_remove(void)
{
    if (directory)
        nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(directory);
    directory = NULL;
}

/* The length of the prefix that TEXT begins with, behind the directory's name; 0: it is none. */
static size_t prefix_length(const char *text, size_t size)
{
    size_t at = 1, ups = 0;
    if (size < 1 || text[0] != '/')
        return 0;
    while (at < size && isdigit((unsigned char)text[at]))
        at++;
    if (at == 1 || at >= size || text[at++] != '.')
        return 0;
    for (; at < size && isdigit((unsigned char)text[at]); at++)
        ups = ups * 10 + (size_t)(text[at] - '0');
    at += 1 + 2 * ups;
    return at <= size && text[at - 1] == '/' ? at : 0;
}

size_t place_strip(char *text, size_t size)
{
    size_t length = strlen(directory), kept = 0;
    char *from = text, *end = text + size;
    while (from < end) {
        char *found = memmem(from, (size_t)(end - from), directory, length);
        size_t before = (size_t)((found ? found : end) - from);
        memmove(text + kept, from, before);
        kept += before;
        if (!found)
            break;
        from = found + length;
        size_t rest = prefix_length(from, (size_t)(end - from));
        from += rest;
        if (rest == 0) {
            memmove(text + kept, found, length);
            kept += length;
        }
    }
    return kept;
}
