/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SQLite comes as a static library that others have compiled, but it lets a program supply the
 * file system below it (a VFS) and the page cache inside it. These are SQLite's own ones, with
 * probes where a database's performance is decided. Provider `sqlite`:
 *
 *   page(number, found)                     a page was asked from the cache
 *   read(kind, bytes, offset, ns, fd)       a read from a file; kind is "db", "wal" or "other"
 *   write(kind, bytes, offset, ns, fd)      a write
 *   sync(kind, ns, fd)                      an fsync
 *
 * The clock should not be read twice around each read while the probe is disabled:
 * SDT_PROBE_ENABLED asks first. While the probe is off, it is a `mov $0,%eax` in the text.
 */
#include "shims.h"

#include <fcntl.h>
#include <sdt/probe.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* An open file: ours, directly followed by the real VFS's file object. */
struct shim_file {
    sqlite3_file base;
    const char *kind;
    int fd;
};

static sqlite3_vfs *real_vfs;
static sqlite3_vfs shim_vfs;
static sqlite3_pcache_methods2 real_cache;

static sqlite3_file *real(sqlite3_file *file)
{
    return (sqlite3_file *)((struct shim_file *)file + 1);
}

static const char *kind(sqlite3_file *file)
{
    return ((struct shim_file *)file)->kind;
}

static int fd(sqlite3_file *file)
{
    return ((struct shim_file *)file)->fd;
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int shim_read(sqlite3_file *file, void *buffer, int bytes, sqlite3_int64 offset)
{
    if (!SDT_PROBE_ENABLED(sqlite, read))
        return real(file)->pMethods->xRead(real(file), buffer, bytes, offset);
    uint64_t start = now();
    int status = real(file)->pMethods->xRead(real(file), buffer, bytes, offset);
    SDT_PROBE(sqlite, read, kind(file), bytes, offset, SDT_NAMED("ns", now() - start), fd(file));
    return status;
}

static int shim_write(sqlite3_file *file, const void *buffer, int bytes, sqlite3_int64 offset)
{
    if (!SDT_PROBE_ENABLED(sqlite, write))
        return real(file)->pMethods->xWrite(real(file), buffer, bytes, offset);
    uint64_t start = now();
    int status = real(file)->pMethods->xWrite(real(file), buffer, bytes, offset);
    SDT_PROBE(sqlite, write, kind(file), bytes, offset, SDT_NAMED("ns", now() - start), fd(file));
    return status;
}

static int shim_sync(sqlite3_file *file, int flags)
{
    if (!SDT_PROBE_ENABLED(sqlite, sync))
        return real(file)->pMethods->xSync(real(file), flags);
    uint64_t start = now();
    int status = real(file)->pMethods->xSync(real(file), flags);
    SDT_PROBE(sqlite, sync, kind(file), SDT_NAMED("ns", now() - start), fd(file));
    return status;
}

static sqlite3_pcache_page *shim_fetch(sqlite3_pcache *cache, unsigned number, int create)
{
    sqlite3_pcache_page *page = real_cache.xFetch(cache, number, create);
    SDT_PROBE(sqlite, page, number, page != NULL);
    return page;
}

/* From here to the table: the rest of a VFS file, passed on unchanged. */
static int shim_close(sqlite3_file *file)
{
    return real(file)->pMethods->xClose(real(file));
}

static int shim_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int shim_file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int shim_lock(sqlite3_file *file, int level)
{
    return real(file)->pMethods->xLock(real(file), level);
}

static int shim_unlock(sqlite3_file *file, int level)
{
    return real(file)->pMethods->xUnlock(real(file), level);
}

static int shim_check_reserved(sqlite3_file *file, int *result)
{
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int shim_control(sqlite3_file *file, int operation, void *arg)
{
    return real(file)->pMethods->xFileControl(real(file), operation, arg);
}

static int shim_sector_size(sqlite3_file *file)
{
    return real(file)->pMethods->xSectorSize(real(file));
}

static int shim_characteristics(sqlite3_file *file)
{
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int shim_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out)
{
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, out);
}

static int shim_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void shim_shm_barrier(sqlite3_file *file)
{
    real(file)->pMethods->xShmBarrier(real(file));
}

static int shim_shm_unmap(sqlite3_file *file, int erase)
{
    return real(file)->pMethods->xShmUnmap(real(file), erase);
}

static const sqlite3_io_methods shim_methods = {
    .iVersion = 2, /* without xFetch: SQLite then reads instead of mapping the file */
    .xClose = shim_close,
    .xRead = shim_read,
    .xWrite = shim_write,
    .xTruncate = shim_truncate,
    .xSync = shim_sync,
    .xFileSize = shim_file_size,
    .xLock = shim_lock,
    .xUnlock = shim_unlock,
    .xCheckReservedLock = shim_check_reserved,
    .xFileControl = shim_control,
    .xSectorSize = shim_sector_size,
    .xDeviceCharacteristics = shim_characteristics,
    .xShmMap = shim_shm_map,
    .xShmLock = shim_shm_lock,
    .xShmBarrier = shim_shm_barrier,
    .xShmUnmap = shim_shm_unmap,
};

/* SQLite does not show the descriptor of a file, but lets us open it: the last one of a thread.
 */
static _Thread_local int opened;

static int shim_system_open(const char *name, int flags, int mode)
{
    opened = open(name, flags, mode);
    return opened;
}

static int shim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    (void)vfs;
    opened = -1; /* stays so if SQLite has a descriptor of the file left */
    int status = real_vfs->xOpen(real_vfs, name, real(file), flags, out);
    ((struct shim_file *)file)->fd = opened;
    ((struct shim_file *)file)->kind = flags & SQLITE_OPEN_MAIN_DB ? "db"
                                       : flags & SQLITE_OPEN_WAL   ? "wal"
                                                                   : "other";
    file->pMethods = real(file)->pMethods ? &shim_methods : NULL;
    return status;
}

void shims_install(void)
{
    sqlite3_pcache_methods2 cache;
    if (sqlite3_config(SQLITE_CONFIG_GETPCACHE2, &real_cache) != SQLITE_OK)
        goto fail;
    cache = real_cache;
    cache.xFetch = shim_fetch;
    if (sqlite3_config(SQLITE_CONFIG_PCACHE2, &cache) != SQLITE_OK)
        goto fail;

    real_vfs = sqlite3_vfs_find(NULL);
    if (!real_vfs || real_vfs->xSetSystemCall(real_vfs, "open",
                                              (sqlite3_syscall_ptr)shim_system_open) != SQLITE_OK)
        goto fail;
    shim_vfs = *real_vfs;
    shim_vfs.zName = "probed";
    shim_vfs.szOsFile += (int)sizeof(struct shim_file);
    shim_vfs.xOpen = shim_open;
    if (sqlite3_vfs_register(&shim_vfs, 1) == SQLITE_OK)
        return;
fail:
    fprintf(stderr, "orders: SQLite does not take the shims\n");
    exit(1);
}
