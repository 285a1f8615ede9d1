/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See watch.h. The process that drains holds the lock of the metadata (ring/storage.h), so that
 * the program does not drain as well when it ends. When the disk is full, unwritten events stay in
 * the rings: nothing is lost before they are full as well, and `sdt recover` writes the rest when
 * there is room.
 */
#include "watch.h"

#include "handed.h"

#include "base/diag.h"
#include "base/memory.h"
#include "base/now.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ring/noted.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_known(const struct watch *watch, const char *name)
{
    for (const struct watched *one = watch->first; one; one = one->next)
        if (!strcmp(one->name, name))
            return true;
    return false;
}

struct watched *watch_new(const char *name)
{
    struct watched *one = memory_zeroed(1, sizeof *one);
    one->name = memory_format("%s", name);
    storage_nothing(&one->storage);
    one->lock = -1;
    return one;
}

void watch_forget(struct watched *one)
{
    if (one->drain.streams)
        drain_end(&one->drain);
    storage_close(&one->storage);
    if (one->lock >= 0)
        close(one->lock);
    free(one->name);
    free(one);
}

void watch_add(struct watch *watch, struct watched *one)
{
    int error = watch->pair ? noted_pair(one->storage.directory.fd, watch->pair) : 0;
    if (error)
        diag_error("%s/%s/.snapshots: %s", watch->path, one->name, strerror(-error));
    one->next = watch->first;
    watch->first = one;
    watch->traces++;
    keep_look(&watch->files, watch->directory, one->storage.directory.fd, one->process,
              &one->looked);
}

/* Open the rings in ONE's directory. 0, or why they are not ours. */
static int attach(const struct watch *watch, struct watched *one)
{
    int directory =
        openat(watch->directory, one->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (directory < 0)
        return -errno;
    int error = storage_open(&one->storage, directory);
    if (!error)
        error = storage_lock_drain(&one->storage, &one->lock);
    if (!error)
        error = drain_begin(&one->drain, directory, one->storage.file, one->storage.size);
    return error;
}

/* Whether ERROR is nothing to speak of: no rings, or another process drains them, or it is just
 * being made. */
static bool is_nothing(int error)
{
    return error == -ENOENT || error == -EBUSY || error == -ENOTDIR;
}

static int add(struct watch *watch, const char *name)
{
    struct watched *one = watch_new(name);
    int error = attach(watch, one);
    if (error) {
        watch_forget(one);
        if (is_nothing(error))
            return 0;
        return diag_error("%s/%s/.rings: %s", watch->path, name,
                          error == -EINVAL ? "this is not a ring file, or is of another version"
                                           : strerror(-error));
    }
    watch_add(watch, one);
    return 1;
}

int watch_look(struct watch *watch)
{
    int copy = openat(watch->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), found = 0;
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    if (!entries)
        return diag_errno("%s", watch->path);
    for (struct dirent *entry; (entry = readdir(entries));) {
        int one = entry->d_name[0] == '.' || is_known(watch, entry->d_name)
                      ? 0
                      : add(watch, entry->d_name);
        found = one < 0 || found < 0 ? -1 : found + one;
    }
    closedir(entries);
    return found;
}

static void complain(struct watch *watch, struct watched *one, int error)
{
    if (!error || one->has_failed)
        return;
    one->has_failed = watch->has_failed = true;
    if (one->storage.handed)
        diag_error("%s/%s: %s; what is not written is lost when this command ends", watch->path,
                   one->name, strerror(-error));
    else
        diag_error("%s/%s: %s; what is not written stays in memory: %s 'sdt recover %s'",
                   watch->path, one->name, strerror(-error),
                   storage_is_full(error) ? "make room, then run" : "run", watch->path);
}

static void settle(struct watch *watch, const struct watched *one)
{
    watch->events += one->drain.events;
    watch->bytes += one->drain.bytes;
    watch->lost += drain_lost(&one->drain);
}

/* Write what ONE describes, if that is ours to do, and open the files that this names. */
static int describe(struct watch *watch, struct watched *one, bool is_over)
{
    int error = handed_write(&one->storage, is_over, &one->described);
    keep_look(&watch->files, watch->directory, one->storage.directory.fd, one->process,
              &one->looked);
    return error;
}

/* What the rings have, and then what describes it. */
static int drain_described(struct watch *watch, struct watched *one, int (*how)(struct drain *),
                           bool is_over)
{
    int error = how(&one->drain), other = describe(watch, one, is_over);
    return error ? error : other;
}

/* No process records into ONE any more: write the rest. */
static void finish(struct watch *watch, struct watched *one)
{
    int error = drain_described(watch, one, drain_all, true);
    if (!error)
        error = drain_finish(&one->drain);
    complain(watch, one, error);
    if (!error)
        storage_remove_rings(&one->storage);
}

/* Recording stands still until it is written (recorder/snapshot.h). */
static void take_snapshot(struct watch *watch, struct watched *one)
{
    int error = drain_described(watch, one, drain_all, false);
    if (!error)
        error = noted_snapshot(one->storage.directory.fd, &one->storage.file->cause);
    complain(watch, one, error);
    if (!error) {
        atomic_fetch_add(&one->storage.file->snapshots, 1);
        watch->snapshots++;
    }
    ring_forget_snapshot(one->storage.file);
}

/* Whole packets, and from time to time all: if we are killed, handed-over rings are lost. */
static int (*how_to_drain(struct watched *one))(struct drain *)
{
    if (!one->storage.handed || seconds_since(one->drained) < 1)
        return drain_packets;
    one->drained = now();
    return drain_all;
}

bool watch_drain(struct watch *watch)
{
    bool has_written = false;
    for (struct watched **at = &watch->first; *at;) {
        struct watched *one = *at;
        uint64_t before = one->drain.bytes;
        bool is_over = storage_is_over(&one->storage);
        if (!one->storage.file->is_flight)
            complain(watch, one, drain_described(watch, one, how_to_drain(one), false));
        else if (atomic_load(&one->storage.file->wanted))
            take_snapshot(watch, one);
        else
            complain(watch, one, describe(watch, one, false));
        if (is_over)
            finish(watch, one);
        has_written = has_written || one->drain.bytes != before;
        if (is_over) {
            settle(watch, one);
            *at = one->next;
            watch_forget(one);
        } else {
            at = &one->next;
        }
    }
    return has_written;
}

bool watch_drain_rest(struct watch *watch)
{
    bool has_written = false;
    for (struct watched *one = watch->first; one; one = one->next) {
        uint64_t before = one->drain.bytes;
        complain(watch, one, drain_described(watch, one, drain_all, false));
        has_written = has_written || one->drain.bytes != before;
    }
    return has_written;
}

int watch_end(struct watch *watch)
{
    while (watch->first) {
        struct watched *one = watch->first;
        if (one->storage.handed) /* only we can */
            finish(watch, one);
        else
            complain(watch, one, drain_described(watch, one, drain_all, false));
        settle(watch, one);
        watch->first = one->next;
        watch_forget(one);
    }
    if (watch->events)
        keep_write(&watch->files, watch->directory);
    return watch->has_failed ? -1 : 0;
}

void watch_free(struct watch *watch)
{
    keep_free(&watch->files);
}
