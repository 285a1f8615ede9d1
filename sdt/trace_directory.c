/* SPDX-License-Identifier: BSD-2-Clause */
/* See trace_directory.h. No link is followed out of the recording: its processes can write to it.
 */
#include "trace_directory.h"

#include "base/memory.h"

#include <recorder/home.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void trace_directory_each(int parent, void (*visit)(int parent, const char *name))
{
    int copy = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    if (!entries)
        return;
    for (struct dirent *entry; (entry = readdir(entries));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            visit(parent, entry->d_name);
    closedir(entries);
}

static void inside(int parent, const char *name, void (*visit)(int parent, const char *name))
{
    int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (directory < 0)
        return;
    trace_directory_each(directory, visit);
    close(directory);
}

static void empty_stream(int parent, const char *name)
{
    int file = strncmp(name, "cpu", 3) == 0
                   ? openat(parent, name, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW)
                   : -1;
    if (file >= 0)
        close(file);
}

void trace_directory_empty(int parent, const char *name)
{
    inside(parent, name, empty_stream);
}

static void remove_file(int parent, const char *name)
{
    unlinkat(parent, name, 0);
}

/* Of a process that was killed before it could describe them, which the watch does not take. */
static void remove_rings(int parent, const char *name)
{
    enum { TRIES = 50 };
    const struct timespec slice = {.tv_nsec =
                                       10000000}; /* it lets go of its files a moment later */
    struct home home;
    int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (directory < 0)
        return;
    bool is_open = home_open(&home, directory) == 0, is_over = is_open && home_is_over(&home);
    for (int i = 0; is_open && !is_over && i < TRIES; i++) {
        nanosleep(&slice, NULL);
        is_over = home_is_over(&home);
    }
    if (is_over)
        home_remove_rings(&home);
    home_close(&home);
}

void trace_directory_remove(int parent, const char *name)
{
    remove_rings(parent, name);
    inside(parent, name, remove_file);
    if (unlinkat(parent, name, AT_REMOVEDIR) != 0)
        unlinkat(parent, name, 0);
}

/* Whether NAME is PROGRAM-PID or PROGRAM-PID-N (recorder/home.c). */
static bool is_of(const char *name, pid_t pid)
{
    char *end;
    const char *dash = strrchr(name, '-');
    for (; dash; dash = memrchr(name, '-', (size_t)(dash - name))) {
        if (strtol(dash + 1, &end, 10) == pid && (*end == '\0' || *end == '-'))
            return true;
        if (*end != '\0' && *end != '-')
            return false;
    }
    return false;
}

static bool has_events(int trace)
{
    int copy = openat(trace, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    struct stat status;
    bool found = entries == NULL;
    for (struct dirent *entry; !found && (entry = readdir(entries));)
        found = strncmp(entry->d_name, "cpu", 3) == 0 &&
                fstatat(trace, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                status.st_size > 0;
    if (entries)
        closedir(entries);
    return found;
}

static bool has_metadata(int trace)
{
    return faccessat(trace, "metadata", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Only one thread does this. */
static pid_t wanted;
static bool (*keeps)(int trace);

static void remove_unless_kept(int parent, const char *name)
{
    int trace = is_of(name, wanted)
                    ? openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
                    : -1;
    if (trace < 0)
        return;
    bool is_kept = keeps(trace);
    close(trace);
    if (!is_kept)
        trace_directory_remove(parent, name);
}

void trace_directory_remove_empty(int parent, pid_t pid)
{
    wanted = pid;
    keeps = has_events;
    trace_directory_each(parent, remove_unless_kept);
}

void trace_directory_remove_undescribed(int parent, pid_t pid)
{
    wanted = pid;
    keeps = has_metadata;
    trace_directory_each(parent, remove_unless_kept);
}

/* Whether the directory of a trace, NAME in PARENT, was left by a tool that was killed. One that is
 * young may be just about to be watched. */
static bool is_left_over(const char *parent, const char *name, int directory)
{
    enum { YOUNG = 60 };
    struct stat status;
    if (fstat(directory, &status) != 0 || status.st_uid != geteuid() ||
        time(NULL) - status.st_mtime < YOUNG)
        return false;
    char *path = memory_format("%s/%s", parent, name);
    bool is_watched = home_check_watched(path) != -ENOENT;
    free(path);
    return !is_watched;
}

void trace_directory_remove_left_over(const char *parent, const char *prefix)
{
    DIR *entries = opendir(parent);
    if (!entries)
        return;
    for (struct dirent *entry; (entry = readdir(entries));) {
        int directory = strncmp(entry->d_name, prefix, strlen(prefix)) != 0
                            ? -1
                            : openat(dirfd(entries), entry->d_name,
                                     O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        if (directory < 0)
            continue;
        if (is_left_over(parent, entry->d_name, directory)) {
            trace_directory_each(directory, trace_directory_remove);
            unlinkat(dirfd(entries), entry->d_name, AT_REMOVEDIR);
        }
        close(directory);
    }
    closedir(entries);
}
