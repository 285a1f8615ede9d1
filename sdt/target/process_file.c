/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See process_file.h. /proc/PID/map_files leads to what is mapped, whatever has become of its name,
 * but only with a capability. /proc/PID/exe is open to whoever may attach to the process, and so is
 * /proc/PID/root, below which a name leads to the file that has it now: that is taken only if it is
 * the one that is mapped.
 */
#include "process_file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

/* Of LINE of /proc/PID/maps; false: no file. */
static bool read_map(struct process_map *map, char *line)
{
    int at = 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %x:%x %" SCNu64 " %n", &map->start, &map->end,
               &map->major, &map->minor, &map->inode, &at) < 5 ||
        !map->inode || !at)
        return false;
    map->path = memory_format("%s", line + at);
    return true;
}

void process_maps_read(struct process_maps *maps, pid_t pid)
{
    char path[64], *line = NULL;
    size_t room = 0, capacity = 0;
    struct process_map map;
    *maps = (struct process_maps){.pid = pid};
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *file = fopen(path, "re");
    while (file && getline(&line, &room, file) > 0) {
        if (!read_map(&map, line))
            continue;
        maps->list = memory_with_room(maps->list, maps->count, &capacity, sizeof map);
        maps->list[maps->count++] = map;
    }
    free(line);
    if (file)
        fclose(file);
}

void process_maps_free(struct process_maps *maps)
{
    for (size_t i = 0; i < maps->count; i++)
        free(maps->list[i].path);
    free(maps->list);
    *maps = (struct process_maps){.count = 0};
}

bool process_map_is_same_file(const struct process_map *a, const struct process_map *b)
{
    return a->inode == b->inode && a->major == b->major && a->minor == b->minor;
}

const struct process_map *process_maps_find(const struct process_maps *maps, uint64_t address)
{
    for (size_t i = 0; i < maps->count; i++)
        if (address >= maps->list[i].start && address < maps->list[i].end)
            return &maps->list[i];
    return NULL;
}

#ifndef SYS_openat2
#define SYS_openat2 437 /* on all machines; glibc knows it since 2.32 */
#endif

/* PATH below the root DIRECTORY, of which no link leads out. */
static int open_below(int directory, const char *path)
{
    struct open_how how = {.flags = FLAGS, .resolve = RESOLVE_IN_ROOT};
    int fd = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
    if (fd >= 0 || errno != ENOSYS)
        return fd;
    return openat(directory, path + strspn(path, "/"), FLAGS); /* Linux before 5.6 */
}

int process_file_named(pid_t pid, const char *path)
{
    char root[64];
    snprintf(root, sizeof root, "/proc/%d/root", (int)pid);
    int directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd = directory < 0 ? -1 : open_below(directory, path);
    if (directory >= 0)
        close(directory);
    return fd;
}

/* FD if it is the file of MAP; otherwise it is closed. */
static int if_mapped(int fd, const struct process_map *map)
{
    struct stat status;
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_ino == map->inode)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* By its name, of which the kernel may show more than the process sees: directories above its root,
 * or those on a disk that is mounted elsewhere there. */
static int open_by_name(pid_t pid, const struct process_map *map)
{
    int fd = -1;
    for (const char *name = map->path; fd < 0 && name; name = strchr(name + 1, '/'))
        fd = if_mapped(process_file_named(pid, name), map);
    return fd;
}

int process_file_open(const struct process_maps *maps, const struct process_map *map)
{
    char path[128];
    snprintf(path, sizeof path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)maps->pid,
             map->start, map->end);
    int fd = open(path, FLAGS);
    if (fd >= 0)
        return fd;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)maps->pid);
    fd = if_mapped(open(path, FLAGS), map);
    return fd >= 0 || *map->path != '/' ? fd : open_by_name(maps->pid, map);
}
