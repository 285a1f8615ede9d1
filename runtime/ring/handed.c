/* SPDX-License-Identifier: BSD-2-Clause */
/* See handed.h. */
#define _GNU_SOURCE
#include "handed.h"

#include "process/file.h"

#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef _Atomic uint64_t word;
_Static_assert(sizeof(word) == 8, "handed.h");

/* ---- In the process. ---- */

/* The file, of SIZE bytes: the RINGS are there for certain, metadata take memory as they come. */
static int make_file(size_t rings, size_t size)
{
    int fd = file_in_memory(HANDED_NAME, size);
    if (fd < 0)
        return fd;
    int error = storage_reserve(fd, rings);
    if (!error && flock(fd, LOCK_SH) != 0)
        error = -errno;
    if (!error)
        return fd;
    close(fd);
    return error;
}

/* All of it, and the pages of the rings now: no hit should have to wait for one. */
static int map(struct storage *storage, size_t rings, int more)
{
    int access = PROT_READ | PROT_WRITE;
    void *all = mmap(NULL, storage->size, access, MAP_SHARED, storage->rings, 0);
    if (all == MAP_FAILED)
        return -errno;
    storage->file = all;
    storage->handed = (char *)all + rings;
    if (more && mmap(all, rings, access, MAP_SHARED | MAP_FIXED | more, storage->rings, 0) != all)
        return -errno;
    return 0;
}

int handed_make(struct storage *storage, const struct ring_file *wanted)
{
    size_t rings = ring_size(wanted);
    storage_nothing(storage);
    storage->size = rings + HANDED_ROOM;
    storage->rings = make_file(rings, storage->size);
    int error = storage->rings < 0 ? storage->rings : map(storage, rings, MAP_POPULATE);
    if (!error)
        memcpy(storage->file, wanted, sizeof *wanted);
    else
        storage_close(storage);
    return error;
}

static size_t padded(size_t length)
{
    return (length + 7) & ~(size_t)7;
}

/* Where there is room for LENGTH bytes, which then is ours; NULL: nowhere. */
static word *take_room(char *parts, size_t length)
{
    for (size_t at = 0; at < HANDED_ROOM && length + sizeof(word) <= HANDED_ROOM - at;) {
        word *head = (word *)(void *)(parts + at);
        uint64_t taken = 0;
        if (atomic_compare_exchange_strong(head, &taken, length))
            return head;
        at += sizeof *head + padded(taken & ~HANDED_COMPLETE);
    }
    return NULL;
}

int handed_put(struct storage *storage, const char *text, size_t length)
{
    word *head = length ? take_room(storage->handed, length) : NULL;
    if (!head)
        return length ? -ENOSPC : 0;
    memcpy(head + 1, text, length);
    atomic_store_explicit(head, length | HANDED_COMPLETE, memory_order_release);
    return 0;
}

/* ---- In the tool. ---- */

int handed_open(struct storage *storage, int fd, int directory)
{
    struct stat status;
    storage_nothing(storage);
    storage->directory.fd = directory;
    storage->rings = fd;
    if (fstat(fd, &status) != 0 || status.st_size < (off_t)(RING_PAGE + HANDED_ROOM))
        return -EINVAL;
    storage->size = (size_t)status.st_size;
    int error = map(storage, storage->size - HANDED_ROOM, 0);
    return error ? error : ring_is_valid(storage->file, storage->size - HANDED_ROOM) ? 0 : -EINVAL;
}

bool handed_next(const struct storage *storage, bool is_over, size_t *at, const char **text,
                 size_t *length)
{
    while (*at < HANDED_ROOM) {
        const word *head = (const word *)(const void *)((const char *)storage->handed + *at);
        uint64_t value = atomic_load_explicit(head, memory_order_acquire);
        uint64_t size = value & ~HANDED_COMPLETE, room = HANDED_ROOM - *at - sizeof *head;
        bool is_complete = value & HANDED_COMPLETE;
        if (size == 0 || size > room || (!is_complete && !is_over))
            return false;
        *at += sizeof *head + padded(size);
        *text = (const char *)(head + 1);
        *length = size;
        if (is_complete)
            return true;
    }
    return false;
}
