/* SPDX-License-Identifier: BSD-2-Clause */
/* See place.h. */
#define _GNU_SOURCE
#include "place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK ".sdt-recording"
#define RINGS ".rings"
#define IN_MEMORY "/dev/shm/sdt-"

/* ---- Directories. ---- */

static bool is_empty(int directory)
{
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    bool empty = entries != NULL;
    for (struct dirent *entry; empty && (entry = readdir(entries));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (entries)
        closedir(entries);
    else if (copy >= 0)
        close(copy);
    return empty;
}

/* Open DIR, which is or becomes a recording. */
static int open_recording(const char *dir)
{
    bool is_new = mkdir(dir, 0777) == 0;
    if (!is_new && errno != EEXIST)
        return -errno;
    int directory = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return -errno;
    if (faccessat(directory, MARK, F_OK, 0) == 0)
        return directory;
    int error = is_new || is_empty(directory) ? 0 : -EEXIST;
    /* Who makes it at the same time has perhaps made the mark meanwhile. */
    if (error && faccessat(directory, MARK, F_OK, 0) == 0)
        error = 0;
    int mark = error ? -1 : openat(directory, MARK, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (!error && mark < 0)
        error = -errno;
    if (mark >= 0)
        close(mark);
    if (error)
        close(directory);
    return error ? error : directory;
}

/* Make a directory PROGRAM-PID in DIR, or PROGRAM-PID-2 …; its descriptor, or an error. */
static int make_trace(int dir, const char *program)
{
    char name[NAME_MAX];
    for (unsigned n = 1; n < 1000; n++) {
        int length = snprintf(name, sizeof name, "%.100s-%d", program, (int)getpid());
        if (n > 1)
            snprintf(name + length, sizeof name - (size_t)length, "-%u", n);
        if (mkdirat(dir, name, 0777) == 0) {
            int trace = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            return trace < 0 ? -errno : trace;
        }
        if (errno != EEXIST)
            break;
    }
    return -errno;
}

/* ---- Rings. ---- */

/* Have SIZE bytes in the file, for certain: without them a store would be SIGBUS. */
static int reserve(int fd, size_t size)
{
    int error = posix_fallocate(fd, 0, (off_t)size);
    return -error;
}

static int make_in_memory(const struct place *place)
{
    char path[64];
    snprintf(path, sizeof path, IN_MEMORY "%d-XXXXXX", (int)getpid());
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0)
        return -errno;
    int error = reserve(fd, place->size);
    if (!error && flock(fd, LOCK_SH) != 0)
        error = -errno;
    if (!error && symlinkat(path, place->directory, RINGS) != 0)
        error = -errno;
    if (error) {
        unlink(path);
        close(fd);
    }
    return error ? error : fd;
}

static int make_in_directory(const struct place *place)
{
    int fd = openat(place->directory, RINGS, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    int error = reserve(fd, place->size);
    if (!error && flock(fd, LOCK_SH) != 0)
        error = -errno;
    if (error) {
        unlinkat(place->directory, RINGS, 0);
        close(fd);
    }
    return error ? error : fd;
}

static int map(struct place *place, int more)
{
    place->file =
        mmap(NULL, place->size, PROT_READ | PROT_WRITE, MAP_SHARED | more, place->rings, 0);
    if (place->file != MAP_FAILED)
        return 0;
    place->file = NULL;
    return -errno;
}

int place_make(struct place *place, const char *dir, const char *program,
               const struct ring_file *wanted)
{
    *place = (struct place){-1, -1, NULL, ring_size(wanted)};
    int recording = open_recording(dir);
    if (recording < 0)
        return recording;
    int error = 0;
    place->directory = make_trace(recording, program);
    close(recording);
    if (place->directory < 0)
        return place->directory;
    place->rings = make_in_memory(place);
    if (place->rings < 0)
        place->rings = make_in_directory(place);
    error = place->rings < 0 ? place->rings : map(place, MAP_POPULATE);
    if (error) {
        place_remove_rings(place);
        place_close(place);
        return error;
    }
    memcpy(place->file, wanted, sizeof *wanted);
    return 0;
}

/*
 * Where the rings are if they are in memory: PATH; false: they are in the directory, or there are
 * none. The link may be anybody's, so it may lead to files of this name only.
 */
static bool read_link(const struct place *place, char path[PATH_MAX])
{
    ssize_t n = readlinkat(place->directory, RINGS, path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = '\0';
    size_t length = strlen(IN_MEMORY);
    return strncmp(path, IN_MEMORY, length) == 0 && !strchr(path + length, '/');
}

static int open_rings(const struct place *place)
{
    char path[PATH_MAX];
    int flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
    return read_link(place, path) ? open(path, flags) : openat(place->directory, RINGS, flags);
}

int place_open(struct place *place, int directory)
{
    struct stat status;
    *place = (struct place){directory, -1, NULL, 0};
    place->rings = open_rings(place);
    if (place->rings < 0)
        return -errno;
    if (fstat(place->rings, &status) != 0 || !S_ISREG(status.st_mode))
        return -EINVAL;
    place->size = (size_t)status.st_size;
    int error = place->size < RING_PAGE ? -EINVAL : map(place, 0);
    return error ? error : ring_is_valid(place->file, place->size) ? 0 : -EINVAL;
}

void place_close(struct place *place)
{
    if (place->file)
        munmap(place->file, place->size);
    if (place->rings >= 0)
        close(place->rings);
    if (place->directory >= 0)
        close(place->directory);
    *place = (struct place){-1, -1, NULL, 0};
}

int place_lock_drain(const struct place *place, int *lock)
{
    *lock = openat(place->directory, "metadata", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (*lock < 0)
        return -errno;
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0)
        return 0;
    int error = errno == EWOULDBLOCK ? -EBUSY : -errno;
    close(*lock);
    return error;
}

int place_leave(struct place *place)
{
    void *own = mmap(NULL, place->size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (own == MAP_FAILED)
        return -errno;
    memcpy(own, place->file, sizeof *place->file);
    if (mremap(own, place->size, place->size, MREMAP_MAYMOVE | MREMAP_FIXED, place->file) ==
        MAP_FAILED) {
        munmap(own, place->size);
        return -errno;
    }
    close(place->rings);
    place->rings = -1;
    return 0;
}

bool place_is_over(const struct place *place)
{
    return flock(place->rings, LOCK_EX | LOCK_NB) == 0;
}

void place_remove_rings(const struct place *place)
{
    char path[PATH_MAX];
    if (read_link(place, path))
        unlink(path);
    unlinkat(place->directory, RINGS, 0);
}
