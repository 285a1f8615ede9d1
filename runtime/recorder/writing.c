/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See writing.h. At the end of the process, the last process that uses the rings writes their
 * contents to the files: forked children use the same rings. A process that is killed or calls
 * _exit() cannot do that; then the rings are still there, for `sdt recover` or for a watching `sdt
 * record`.
 */
#include "writing.h"

#include "process/msan.h"
#include "process/robust.h"

#include "ring/noted.h"
#include "snapshot.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum { THREAD_PAUSE = 5000000 /* ns */ };

static int drain_now(struct sdt_recorder *recorder, int (*how)(struct drain *))
{
    int lock, error = recorder->storage.handed ? -EBUSY : robust_lock(&recorder->draining);
    if (error)
        return error;
    error = storage_lock_drain(&recorder->storage, &lock);
    if (!error) {
        recorder->drain.directory = recorder->storage.directory.fd;
        error = how(&recorder->drain);
        close(lock);
    }
    robust_unlock(&recorder->draining);
    return error;
}

int writing_flush(struct sdt_recorder *recorder)
{
    return drain_now(recorder, drain_all);
}

/* If `sdt record` watches, that is who writes. */
static void write_snapshot(struct sdt_recorder *recorder)
{
    int error = writing_flush(recorder);
    if (!error)
        noted_snapshot(recorder->storage.directory.fd, &recorder->storage.file->cause);
    if (error != -EBUSY)
        snapshot_done(recorder->storage.file, error == 0);
}

static void *drain_again_and_again(void *data)
{
    MSAN_LOOKS_AWAY;
    struct sdt_recorder *recorder = data;
    struct ring_file *file = recorder->storage.file;
    while (!atomic_load(&recorder->ending)) {
        if (atomic_load(&file->wanted))
            write_snapshot(recorder);
        else if (!file->is_flight)
            drain_now(recorder, drain_packets);
        snapshot_wait(file, THREAD_PAUSE);
    }
    return NULL;
}

/* The program's signals are the program's. */
int writing_start_thread(struct sdt_recorder *recorder)
{
    sigset_t all, old;
    int error = -robust_lock(&recorder->draining);
    if (error)
        return -error;
    if (!recorder->has_thread) {
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &old);
        error = pthread_create(&recorder->thread, NULL, drain_again_and_again, recorder);
        pthread_sigmask(SIG_SETMASK, &old, NULL);
        recorder->has_thread = error == 0;
    }
    robust_unlock(&recorder->draining);
    return -error;
}

/* The rings in LAST, which are no longer recorded into: write what is left, and remove them. */
static int drain_last(struct storage *last)
{
    struct drain drain;
    int lock, error = storage_is_watched(last) ? -EBUSY : storage_lock_drain(last, &lock);
    if (error)
        return error == -EBUSY ? 0 : error; /* `sdt record` does it */
    error = drain_begin(&drain, last->directory.fd, last->file, last->size);
    if (!error) {
        error = drain_all(&drain);
        if (!error)
            error = drain_finish(&drain);
        drain_end(&drain);
    }
    if (!error)
        storage_remove_rings(last);
    close(lock);
    return error;
}

int writing_finish(struct sdt_recorder *recorder)
{
    struct storage last;
    if (recorder->storage.handed)
        return storage_leave(&recorder->storage);
    int error = storage_open_last(&last, &recorder->storage);
    if (!error && storage_is_over(&last))
        error = drain_last(&last);
    storage_close(&last);
    return error < 0 ? error : 0;
}

void writing_end_thread(struct sdt_recorder *recorder)
{
    atomic_store(&recorder->ending, true);
    snapshot_wake(recorder->storage.file);
    if (recorder->has_thread && *recorder_process == (int)getpid())
        pthread_join(recorder->thread, NULL);
    recorder->has_thread = false;
}
