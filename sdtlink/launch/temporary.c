/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See temporary.h. The state is static: it belongs to the process, which makes one link. The
 * directory must also be removed where exit() is called in the middle of the work (memory.h does
 * so when memory runs out), and a function of atexit() gets no argument that could lead to it.
 */
#include "temporary.h"

#include "base/diag.h"
#include "base/words.h"

#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MEMORY "/dev/shm"

static char *directory;
static pid_t owner; /* who made it */

/* Also where memory runs out; but not in workers. */
static void remove_at_exit(void)
{
    if (getpid() == owner)
        temporary_remove();
}

/*
 * On a disk's file system, to make and remove a file can cost more than to process it (ext4 passes
 * by every inode that was freed in the last minutes). An object may grow to five times its size,
 * where it holds little else than sites; other programs must not notice what we take.
 */
static bool fits_into_memory(uint64_t size)
{
    const uint64_t most = UINT64_C(16) << 20, times = 32;
    struct statfs system;
    return size <= most && statfs(MEMORY, &system) == 0 && system.f_type == TMPFS_MAGIC &&
           access(MEMORY, W_OK | X_OK) == 0 &&
           size * times <= (uint64_t)system.f_bavail * (uint64_t)system.f_bsize;
}

int temporary_create(uint64_t size)
{
    owner = getpid();
    if (atexit(remove_at_exit) != 0)
        return diag_error("out of memory");
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = fits_into_memory(size) ? MEMORY : "/tmp";
    char *name = memory_format("%s%s/sdtlink.XXXXXX", parent[0] == '/' ? "" : "./", parent);
    if (!mkdtemp(name)) {
        diag_errno("cannot make a directory for processed objects in %s (see TMPDIR)", parent);
        free(name);
        return -1;
    }
    directory = name;
    return 0;
}

const char *temporary_directory(void)
{
    return directory;
}

/*
 * Inputs share the directories of our tree as far as their names allow it: the second copy for a
 * name, or one where the other has a directory, gets a tree of its own. A directory for each input
 * would double the time of all of it: ext4 looks for a free inode among those that have been freed
 * lately, and the links before this one have freed many.
 */
struct entry {
    char *name;
    unsigned files; /* copies made for it */
    bool is_directory;
};
static struct entry *entries;
static size_t entry_count, entry_capacity; /* a power of two */
static unsigned own_trees;
static char *last_made; /* a directory of ours */

static struct entry *find_entry(const char *name, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)name[i]) * UINT64_C(1099511628211);
    size_t at = (size_t)(hash ^ hash >> 32) & (entry_capacity - 1);
    while (entries[at].name &&
           (strncmp(entries[at].name, name, length) != 0 || entries[at].name[length]))
        at = (at + 1) & (entry_capacity - 1);
    return &entries[at];
}

static void grow(void)
{
    struct entry *old = entries;
    size_t old_capacity = entry_capacity, capacity = old_capacity ? old_capacity * 2 : 256;
    entries = memory_zeroed(capacity, sizeof *entries); /* may exit(): the old table is whole */
    entry_capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].name)
            *find_entry(old[i].name, strlen(old[i].name)) = old[i];
    free(old);
}

static struct entry *enter(const char *name, size_t length)
{
    if (entry_count * 2 >= entry_capacity)
        grow();
    struct entry *entry = find_entry(name, length);
    if (!entry->name) {
        entry->name = memory_format("%.*s", (int)length, name);
        entry_count++;
    }
    return entry;
}

/*
 * Where in a tree of that kind ORIGINAL leads: names that are spelled differently may mean the same
 * place.
 */
static char *path_in_tree(const char *original, unsigned ups)
{
    struct bytes path = {0};
    char *kind = memory_format("%u%s", ups, original[0] == '/' ? "a" : "");
    bytes_append(&path, kind, strlen(kind));
    for (unsigned i = 0; i < ups; i++)
        bytes_append(&path, "/u", 2);
    for (const char *at = original; *at;) {
        size_t length = strcspn(at, "/");
        if (length == 2 && !strncmp(at, "..", 2)) {
            while (path.size > 0 && path.data[path.size - 1] != '/')
                path.size--;
            path.size -= path.size > 0;
        } else if (length > 0 && !(length == 1 && *at == '.')) {
            bytes_append(&path, "/", 1);
            bytes_append(&path, at, length);
        }
        at += length;
        at += strspn(at, "/");
    }
    bytes_append(&path, "", 1);
    free(kind);
    return (char *)path.data;
}

/* The number of the tree for a copy that lies at NAME in it. */
static unsigned choose_tree(const char *name)
{
    enum { OWN = 1 << 30 };
    bool is_in_the_way = false;
    for (const char *slash = name; (slash = strchr(slash + 1, '/'));) {
        struct entry *entry = enter(name, (size_t)(slash - name));
        entry->is_directory = true;
        is_in_the_way |= entry->files > 0;
    }
    struct entry *entry = enter(name, strlen(name));
    is_in_the_way |= entry->is_directory;
    return is_in_the_way ? OWN + own_trees++ : entry->files++;
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

/* Make every directory that PATH, which lies in ours, goes through. Most have that of the last. */
static int make_directories(char *path)
{
    size_t length = (size_t)(strrchr(path, '/') - path);
    if (last_made && strncmp(last_made, path, length) == 0 && !last_made[length])
        return 0;
    free(last_made);
    last_made = memory_format("%.*s", (int)length, path);
    for (char *slash = path + strlen(directory); (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        int result = mkdir(path, 0700);
        if (result != 0 && errno != EEXIST)
            return diag_errno("cannot make directory %s", path);
        *slash = '/';
    }
    return 0;
}

char *temporary_path(const char *original)
{
    struct bytes path = {0};
    /* An absolute name may also climb: `/../x` is `/x`, but not after a prefix. */
    unsigned ups = climb(original);
    char *inside = path_in_tree(original, ups);
    unsigned tree = choose_tree(inside);
    free(inside);
    char *start = original[0] == '/' && ups == 0 ? memory_format("%s/%u.a", directory, tree)
                                                 : memory_format("%s/%u.%u/", directory, tree, ups);
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

void temporary_remove(void)
{
    bool is_left = directory != NULL;
    /* nftw() takes memory: if there was none, there may be some now. */
    for (int tries = 0; is_left && tries < 2; tries++)
        is_left = nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0;
    if (is_left)
        diag_errno("cannot remove %s", directory);
    free(directory);
    directory = NULL;
    for (size_t i = 0; i < entry_capacity; i++)
        free(entries[i].name);
    free(entries);
    entries = NULL;
    entry_count = entry_capacity = 0;
    free(last_made);
    last_made = NULL;
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

size_t temporary_strip(char *text, size_t size)
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
