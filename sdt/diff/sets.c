/* SPDX-License-Identifier: BSD-2-Clause */
#include "sets.h"

#include "base/diag.h"
#include "base/memory.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool has_file(const char *directory, const char *name)
{
    char *path = memory_format("%s/%s", directory, name);
    bool is_there = access(path, F_OK) == 0;
    free(path);
    return is_there;
}

/* Whether DIRECTORY is a trace, or has one. */
static bool is_recording(const char *directory)
{
    struct dirent **entries;
    bool is_one = has_file(directory, "metadata") || has_file(directory, ".sdt-recording");
    int count = is_one ? 0 : scandir(directory, &entries, is_visible, NULL);
    for (int i = 0; i < count; i++) {
        char *path = memory_format("%s/%s", directory, entries[i]->d_name);
        is_one = is_one || has_file(path, "metadata");
        free(path);
        free(entries[i]);
    }
    if (count > 0)
        free(entries);
    return is_one;
}

/* Takes PATH. */
static void add(struct set *set, char *path)
{
    set->paths = memory_resize(set->paths, set->count + 1, sizeof(char *));
    set->paths[set->count++] = path;
}

int set_find(struct set *set, const char *directory)
{
    struct dirent **entries;
    *set = (struct set){.directory = directory};
    if (is_recording(directory)) {
        add(set, memory_format("%s", directory));
        return 0;
    }
    int count = scandir(directory, &entries, is_visible, alphasort);
    if (count < 0)
        return diag_errno("cannot read %s", directory);
    for (int i = 0; i < count; i++) {
        char *path = memory_format("%s/%s", directory, entries[i]->d_name);
        if (is_recording(path))
            add(set, path);
        else
            free(path);
        free(entries[i]);
    }
    free(entries);
    return set->count ? 0 : diag_error("%s: there is no recording", directory);
}

void set_free(struct set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->paths[i]);
    free(set->paths);
    *set = (struct set){0};
}
