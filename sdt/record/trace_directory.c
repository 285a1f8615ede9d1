/* SPDX-License-Identifier: BSD-2-Clause */
/* See trace_directory.h. No link is followed out of the recording: its processes can write to it.
 */
#include "trace_directory.h"

#include <ring/storage.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef void visitor(int parent, const char *name, void *data);

/* Call VISIT for each entry of the directory PARENT but "." and "..". */
static void each(int parent, visitor *visit, void *data)
{
    int copy = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    if (!entries)
        return;
    for (struct dirent *entry; (entry = readdir(entries));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            visit(parent, entry->d_name, data);
    closedir(entries);
}

static void inside(int parent, const char *name, visitor *visit)
{
    int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (directory < 0)
        return;
    each(directory, visit, NULL);
    close(directory);
}

static void empty_stream(int parent, const char *name, void *data)
{
    (void)data;
    int file = strncmp(name, "cpu", 3) == 0
                   ? openat(parent, name, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW)
                   : -1;
    if (file >= 0)
        close(file);
}

static void empty_trace(int parent, const char *name, void *data)
{
    (void)data;
    inside(parent, name, empty_stream);
}

void trace_directory_empty_all(int recording)
{
    each(recording, empty_trace, NULL);
}

static void remove_file(int parent, const char *name, void *data)
{
    (void)data;
    unlinkat(parent, name, 0);
}

/* Open the rings of the trace NAME, if it has some. */
static bool open_rings(struct storage *storage, int parent, const char *name)
{
    int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (directory < 0)
        return false;
    if (storage_open(storage, directory) == 0)
        return true;
    storage_close(storage);
    return false;
}

/* Of a process that was killed before it could describe them, which the watch does not take. */
static void remove_rings(int parent, const char *name)
{
    enum { TRIES = 50 };
    const struct timespec slice = {.tv_nsec =
                                       10000000}; /* it lets go of its files a moment later */
    struct storage storage;
    if (!open_rings(&storage, parent, name))
        return;
    bool is_over = storage_is_over(&storage);
    for (int i = 0; !is_over && i < TRIES; i++) {
        nanosleep(&slice, NULL);
        is_over = storage_is_over(&storage);
    }
    if (is_over)
        storage_remove_rings(&storage);
    storage_close(&storage);
}

static void remove_trace(int parent, const char *name, void *data)
{
    (void)data;
    remove_rings(parent, name);
    inside(parent, name, remove_file);
    if (unlinkat(parent, name, AT_REMOVEDIR) != 0)
        unlinkat(parent, name, 0);
}

void trace_directory_remove_all(int recording)
{
    each(recording, remove_trace, NULL);
}

/* Whether NAME is PROGRAM-PID or PROGRAM-PID-N (ring/storage.c). */
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

/* Whether the metadata of TRACE describe events: what only begins takes less than a page. */
static bool is_described(int trace)
{
    char text[4096 + 1];
    int file = openat(trace, "metadata", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t n = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[n > 0 ? n : 0] = '\0';
    return n == sizeof text - 1 || strstr(text, "/* sdt-event ");
}

/* The traces of process PID are removed but for those that it KEEPS. */
struct removal {
    pid_t pid;
    bool (*keeps)(int trace);
};

static void remove_unless_kept(int parent, const char *name, void *data)
{
    const struct removal *removal = data;
    int trace = is_of(name, removal->pid)
                    ? openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
                    : -1;
    if (trace < 0)
        return;
    bool is_kept = removal->keeps(trace);
    close(trace);
    if (!is_kept)
        remove_trace(parent, name, NULL);
}

void trace_directory_remove_empty(int recording, pid_t pid)
{
    each(recording, remove_unless_kept, &(struct removal){pid, has_events});
}

void trace_directory_remove_undescribed(int recording, pid_t pid)
{
    each(recording, remove_unless_kept, &(struct removal){pid, is_described});
}

/* How many bytes of metadata TRACE has; -1: it has none. What is no file is not ours to judge. */
static off_t metadata_size(int trace)
{
    struct stat status;
    if (fstatat(trace, "metadata", &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? -1 : 1;
    return S_ISREG(status.st_mode) ? status.st_size : 1;
}

/* Whether the trace NAME has unused rings; they are removed. *IS_USED: it has rings in use. */
static bool remove_unused_rings(int parent, const char *name, bool *is_used)
{
    struct storage storage;
    *is_used = false;
    if (!open_rings(&storage, parent, name))
        return false;
    *is_used = !storage_is_over(&storage);
    if (!*is_used)
        storage_remove_rings(&storage);
    storage_close(&storage);
    return !*is_used;
}

/* Without metadata and without rings, it may be one that is just being made. */
static void remove_if_unbegun(int parent, const char *name, void *data)
{
    static const char *const files[] = {"metadata", ".metadata", ".rings", ".rings-new"};
    unsigned *count = data;
    bool is_used;
    int trace = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    off_t size = trace < 0 ? 1 : metadata_size(trace);
    if (size <= 0 && (remove_unused_rings(parent, name, &is_used) || (size == 0 && !is_used))) {
        for (size_t i = 0; i < sizeof files / sizeof *files; i++)
            unlinkat(trace, files[i], 0);
        *count += unlinkat(parent, name, AT_REMOVEDIR) == 0;
    }
    if (trace >= 0)
        close(trace);
}

unsigned trace_directory_remove_unbegun(int recording)
{
    unsigned count = 0;
    each(recording, remove_if_unbegun, &count);
    return count;
}

static void find_used_rings(int parent, const char *name, void *data)
{
    bool *found = data;
    struct storage storage;
    if (*found || !open_rings(&storage, parent, name))
        return;
    *found = !storage_is_over(&storage);
    storage_close(&storage);
}

/* Whether a process still uses rings of RECORDING. It will remove them, and needs the link to them
 * that is here. */
static bool is_used(int recording)
{
    bool found = false;
    each(recording, find_used_rings, &found);
    return found;
}

/* Whether RECORDING was left by a tool that was killed. A new one may be about to be watched. A
 * process that was stopped in time still uses an old one. */
static bool is_left_over(int recording)
{
    enum { YOUNG = 60 };
    struct stat status;
    return fstat(recording, &status) == 0 && status.st_uid == geteuid() &&
           time(NULL) - status.st_mtime >= YOUNG && !storage_has_watcher(recording) &&
           !is_used(recording);
}

static void remove_left_over(int parent, const char *name, void *data)
{
    const char *prefix = *(const char **)data;
    int recording = strncmp(name, prefix, strlen(prefix)) == 0
                        ? openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
                        : -1;
    if (recording < 0)
        return;
    if (is_left_over(recording)) {
        trace_directory_remove_all(recording);
        unlinkat(parent, name, AT_REMOVEDIR);
    }
    close(recording);
}

void trace_directory_remove_left_over(const char *parent, const char *prefix)
{
    int directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return;
    each(directory, remove_left_over, &prefix);
    close(directory);
}
