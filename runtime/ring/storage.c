/* SPDX-License-Identifier: BSD-2-Clause */
/* See storage.h. */
#define _GNU_SOURCE
#include "storage.h"

#include "process/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK ".sdt-recording"
#define RINGS ".rings"
#define MEMORY "/dev/shm/"
#define IN_MEMORY MEMORY "sdt-"

static const struct storage no_storage = {.directory.fd = -1, .memory.fd = -1, .rings = -1};

void storage_nothing(struct storage *storage)
{
    *storage = no_storage;
}

int storage_directory(struct storage *storage)
{
    if (!storage->path || handle_is_ours(&storage->directory))
        return storage->directory.fd;
    struct handle old = storage->directory;
    struct handle new =
        handle_keep(open(storage->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (new.fd < 0)
        return -ENOENT;
    if (new.device != old.device || new.inode != old.inode) {
        handle_close(&new);
        return -ENOENT;
    }
    storage->directory = new;
    return new.fd;
}

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

int storage_recording(const char *dir)
{
    bool is_new = mkdir(dir, 0755) == 0;
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
    int mark = error ? -1 : openat(directory, MARK, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    /* Another process was faster. */
    bool is_there = !error && mark < 0 && errno == EEXIST;
    if (!error && mark < 0 && !is_there)
        error = -errno;
    if (mark >= 0)
        close(mark);
    if (error)
        close(directory);
    return error ? error : directory;
}

/* PROGRAM-PID, or PROGRAM-PID-2 … */
int storage_make_trace(int recording, const char *program, pid_t pid, char name[NAME_MAX])
{
    for (unsigned n = 1; n < 1000; n++) {
        int length = snprintf(name, NAME_MAX, "%.100s-%d", program, (int)pid);
        if (n > 1)
            snprintf(name + length, NAME_MAX - (size_t)length, "-%u", n);
        if (mkdirat(recording, name, 0755) == 0) {
            int trace = openat(recording, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
            return trace < 0 ? -errno : trace;
        }
        if (errno != EEXIST)
            break;
    }
    return -errno;
}

/* The directory that STORAGE is in: its name, and how to come back to it. */
static int enter_trace(struct storage *storage, const char *dir, const char *program)
{
    char name[NAME_MAX];
    int recording = storage_recording(dir);
    if (recording < 0)
        return recording;
    int trace = storage_make_trace(recording, program, getpid(), name);
    int error = trace < 0 ? trace : 0;
    close(recording);
    storage->directory = handle_keep(trace);
    char *path = realpath(dir, NULL);
    if (!error && (storage->directory.fd < 0 || !path))
        error = -errno;
    else if (!error && asprintf(&storage->path, "%s/%s", path, name) < 0)
        error = -ENOMEM;
    free(path);
    return error;
}

/* ---- Rings. ---- */

bool storage_is_full(int error)
{
    return error == -ENOSPC || error == -EDQUOT || error == -EFBIG;
}

int storage_limit(uint64_t size)
{
    return file_limit(size);
}

/* Some kernels let any signal interrupt that: with a timer of the program's it would never end. */
int storage_reserve(int fd, size_t size)
{
    sigset_t all, old;
    int error = file_limit(size);
    if (error)
        return error;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    error = posix_fallocate(fd, 0, (off_t)size);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return -error;
}

/* A name in memory that is hardly taken. */
static void choose_name(char path[PATH_MAX], int attempt)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
    unsigned char random[6] = {0};
    int length = snprintf(path, PATH_MAX, IN_MEMORY "%d-", (int)getpid());
    ssize_t n = getrandom(random, sizeof random, GRND_NONBLOCK);
    (void)n;
    random[0] ^= (unsigned char)attempt; /* where there is no randomness */
    for (size_t k = 0; k < sizeof random; k++)
        path[length++] = digits[random[k] & 63];
    path[length] = '\0';
}

/* Give the rings, which have none, a name in memory. First the link to it: then what is killed in
 * between leaves nothing there. */
static int publish_memory(const struct storage *storage, char path[PATH_MAX])
{
    enum { TRIES = 100 };
    char from[64];
    snprintf(from, sizeof from, "/proc/self/fd/%d", storage->rings);
    for (int i = 0; i < TRIES; i++) {
        choose_name(path, i);
        if (symlinkat(path, storage->directory.fd, RINGS) != 0)
            break;
        if (linkat(AT_FDCWD, from, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        int error = errno;
        unlinkat(storage->directory.fd, RINGS, 0);
        errno = error;
        if (error != EEXIST)
            break;
    }
    int error = -errno;
    snprintf(path, PATH_MAX, MEMORY); /* not to be removed: it may not be ours */
    return error;
}

/* Make the file; its name becomes PATH: absolute, and then it has none yet, or in the directory.
 * What has no name goes with a process that is killed meanwhile. */
static int make_file(const struct storage *storage, char path[PATH_MAX])
{
    bool can_name = access("/proc/self/fd", X_OK) == 0;
    int fd = can_name ? open(MEMORY, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;
    int error = fd < 0 ? -errno : storage_reserve(fd, storage->size);
    snprintf(path, PATH_MAX, MEMORY);
    if (!error)
        return fd;
    if (fd >= 0)
        close(fd);
    snprintf(path, PATH_MAX, RINGS "-new");
    fd = openat(storage->directory.fd, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    error = fd < 0 ? -errno : storage_reserve(fd, storage->size);
    if (!error)
        return fd;
    if (fd >= 0) {
        unlinkat(storage->directory.fd, path, 0);
        close(fd);
    }
    return error;
}

static int map(struct storage *storage, int more)
{
    storage->file =
        mmap(NULL, storage->size, PROT_READ | PROT_WRITE, MAP_SHARED | more, storage->rings, 0);
    if (storage->file != MAP_FAILED)
        return 0;
    storage->file = NULL;
    return -errno;
}

int storage_make(struct storage *storage, const char *dir, const char *program,
                 const struct ring_file *wanted)
{
    *storage = no_storage;
    storage->size = ring_size(wanted);
    char path[PATH_MAX];
    int error = enter_trace(storage, dir, program);
    if (error) {
        storage_unmake(storage);
        storage_close(storage);
        return error;
    }
    storage->rings = make_file(storage, path);
    if (storage->rings < 0)
        error = storage->rings;
    else if (flock(storage->rings, LOCK_SH) != 0)
        error = -errno;
    if (!error)
        error = map(storage, MAP_POPULATE);
    if (storage->file) {
        memcpy(storage->file, wanted, sizeof *wanted);
        if (*path == '/') /* complete as they are, let them be found */
            error = publish_memory(storage, path);
        else if (renameat(storage->directory.fd, path, storage->directory.fd, RINGS) != 0)
            error = -errno;
    }
    if (error) {
        if (storage->rings >= 0 && strcmp(path, MEMORY) != 0)
            unlinkat(storage->directory.fd, path, 0);
        storage_unmake(storage);
        storage_close(storage);
        return error;
    }
    if (*path == '/')
        storage->memory = handle_keep(open(MEMORY, O_PATH | O_DIRECTORY | O_CLOEXEC));
    close(storage->rings); /* the mapping is enough */
    storage->rings = -1;
    return 0;
}

void storage_unmake(struct storage *storage)
{
    if (storage->file && !storage->handed)
        storage_remove_rings(storage);
    if (storage->path) {
        unlinkat(storage->directory.fd, "metadata", 0);
        rmdir(storage->path);
    }
}

/*
 * Where the rings are if they are in memory: NAME, in *DIRECTORY; false: they are in the storage's
 * directory, or there are none. The link is untrusted, so it may lead to files of this name only.
 */
static bool read_link(struct storage *storage, char path[PATH_MAX], const char **name,
                      int *directory)
{
    ssize_t n = readlinkat(storage_directory(storage), RINGS, path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = '\0';
    size_t length = strlen(IN_MEMORY);
    bool has_memory = handle_is_ours(&storage->memory);
    *directory = has_memory ? storage->memory.fd : AT_FDCWD;
    *name = path + (has_memory ? strlen(MEMORY) : 0);
    return strncmp(path, IN_MEMORY, length) == 0 && !strchr(path + length, '/');
}

static int open_rings(struct storage *storage)
{
    char path[PATH_MAX];
    const char *name;
    int memory, flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
    return read_link(storage, path, &name, &memory)
               ? openat(memory, name, flags)
               : openat(storage_directory(storage), RINGS, flags);
}

static int open_storage(struct storage *storage, int directory)
{
    struct stat status;
    storage->directory.fd = directory;
    storage->rings = open_rings(storage);
    if (storage->rings < 0)
        return -errno;
    if (fstat(storage->rings, &status) != 0 || !S_ISREG(status.st_mode))
        return -EINVAL;
    storage->size = (size_t)status.st_size;
    int error = storage->size < RING_PAGE ? -EINVAL : map(storage, 0);
    return error ? error : ring_is_valid(storage->file, storage->size) ? 0 : -EINVAL;
}

int storage_open(struct storage *storage, int directory)
{
    *storage = no_storage;
    return open_storage(storage, directory);
}

/* Whether the rings of STORAGE are out of reach, as after chroot(2), rather than removed. */
static bool is_out_of_reach(struct storage *storage)
{
    return faccessat(storage->directory.fd, RINGS, F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
           !handle_is_ours(&storage->memory) && access(MEMORY, F_OK) != 0;
}

int storage_open_last(struct storage *last, struct storage *storage)
{
    enum { STANDARD = 3 };
    *last = no_storage;
    int known = storage_directory(storage);
    int directory = known < 0 ? known : fcntl(known, F_DUPFD_CLOEXEC, STANDARD);
    if (directory < 0)
        return known < 0 ? known : -errno;
    int error = storage_leave(storage);
    if (error) {
        close(directory);
        return error;
    }
    if (handle_is_ours(&storage->memory))
        last->memory = handle_keep(fcntl(storage->memory.fd, F_DUPFD_CLOEXEC, STANDARD));
    error = open_storage(last, directory);
    return error == -ENOENT && !is_out_of_reach(last) ? 1 : error;
}

void storage_close(struct storage *storage)
{
    if (storage->file)
        munmap(storage->file, storage->size);
    if (storage->rings >= 0)
        close(storage->rings);
    if (storage->path)
        handle_close(&storage->directory);
    else if (storage->directory.fd >= 0)
        close(storage->directory.fd);
    handle_close(&storage->memory);
    free(storage->path);
    *storage = no_storage;
}

int storage_watch(int directory, int *lock)
{
    struct flock all = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    *lock = openat(directory, MARK, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (*lock >= 0 && fcntl(*lock, F_OFD_SETLK, &all) == 0)
        return 0;
    int error = -errno;
    if (*lock >= 0)
        close(*lock);
    return error;
}

/* Whether any process holds the lock of storage_watch() on the mark NAME in DIRECTORY. */
static bool is_locked(int directory, const char *name)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool is_watched = fd >= 0 && fcntl(fd, F_OFD_GETLK, &all) == 0 && all.l_type != F_UNLCK;
    if (fd >= 0)
        close(fd);
    return is_watched;
}

bool storage_is_watched(struct storage *storage)
{
    return is_locked(storage_directory(storage), "../" MARK);
}

bool storage_has_watcher(int recording)
{
    return is_locked(recording, MARK);
}

int storage_check_watched(const char *dir)
{
    int directory = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return -errno;
    bool is_watched = storage_has_watcher(directory);
    close(directory);
    return is_watched ? 0 : -ENOENT;
}

int storage_lock_drain(struct storage *storage, int *lock)
{
    *lock = openat(storage_directory(storage), "metadata",
                   O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (*lock < 0)
        return -errno;
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0)
        return 0;
    int error = errno == EWOULDBLOCK ? -EBUSY : -errno;
    close(*lock);
    *lock = -1;
    return error;
}

int storage_leave(struct storage *storage)
{
    void *own = mmap(NULL, storage->size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (own == MAP_FAILED)
        return -errno;
    memcpy(own, storage->file, sizeof *storage->file);
    if (mremap(own, storage->size, storage->size, MREMAP_MAYMOVE | MREMAP_FIXED, storage->file) ==
        MAP_FAILED) {
        munmap(own, storage->size);
        return -errno;
    }
    return 0;
}

bool storage_is_over(const struct storage *storage)
{
    return flock(storage->rings, LOCK_EX | LOCK_NB) == 0;
}

void storage_remove_rings(struct storage *storage)
{
    char path[PATH_MAX];
    const char *name;
    int memory;
    if (read_link(storage, path, &name, &memory))
        unlinkat(memory, name, 0);
    unlinkat(storage_directory(storage), RINGS, 0);
}
