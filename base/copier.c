/* SPDX-License-Identifier: BSD-2-Clause */
#include "copier.h"

#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Below this a thread costs more than the copy. */
#define WORTH_A_THREAD (UINT64_C(1) << 20)
/* Between two steps the thread checks whether it is still wanted. */
#define STEP (UINT64_C(32) << 20)

struct copier {
    int from, to;
    struct byte_range *ranges;
    size_t count;
    pthread_t thread;
    bool has_thread;
    atomic_bool is_cancelled;
    int error; /* an errno */
};

/* For file systems between which the kernel does not copy. */
static int copy_through_memory(int from, int to, uint64_t start, uint64_t end, uint64_t target)
{
    static const size_t size = 1 << 17; /* as cp has it: 1 MiB takes three times as long */
    char *buffer = malloc(size); /* not memory.h's: this may be a thread, which must not exit() */
    int result = buffer ? 0 : -1;
    while (start < end && result == 0) {
        size_t wanted = end - start < size ? (size_t)(end - start) : size;
        ssize_t got = pread(from, buffer, wanted, (off_t)start);
        if (got == 0)
            errno = EIO; /* the input became shorter */
        for (ssize_t done = 0; done < got && result == 0;) {
            ssize_t put = pwrite(to, buffer + done, (size_t)(got - done), (off_t)target + done);
            if (put == 0)
                errno = EIO;
            if (put == 0 || (put < 0 && errno != EINTR))
                result = -1;
            done += put > 0 ? put : 0;
        }
        if (got <= 0 && !(got < 0 && errno == EINTR))
            result = -1;
        start += got > 0 ? (uint64_t)got : 0;
        target += got > 0 ? (uint64_t)got : 0;
    }
    free(buffer);
    return result;
}

int copy_bytes(int from, int to, struct byte_range bytes, uint64_t target)
{
    off_t in = (off_t)bytes.start, out = (off_t)target;
    while ((uint64_t)in < bytes.end) {
        /* If it is not to be had here, or fails: the other way works, or says why it does not. */
        if (copy_file_range(from, &in, to, &out, bytes.end - (uint64_t)in, 0) <= 0)
            return copy_through_memory(from, to, (uint64_t)in, bytes.end, (uint64_t)out);
    }
    return 0;
}

/*
 * ext4 books room for every page that is written, unless the room is there already: that is a fifth
 * of the time of the whole copy. Elsewhere (tmpfs, or where copies share their blocks) it would be
 * work done twice. If it fails, the writing will say why.
 */
void copy_reserve(int to, struct byte_range bytes)
{
    struct statfs system;
    if (bytes.end > bytes.start && bytes.end - bytes.start >= WORTH_A_THREAD &&
        fstatfs(to, &system) == 0 && system.f_type == EXT4_SUPER_MAGIC)
        (void)!fallocate(to, 0, (off_t)bytes.start, (off_t)(bytes.end - bytes.start));
}

/* Copy BYTES to the same place, step by step. */
static int copy_range(struct copier *copier, struct byte_range bytes)
{
    copy_reserve(copier->to, bytes);
    while (bytes.start < bytes.end && !atomic_load(&copier->is_cancelled)) {
        uint64_t left = bytes.end - bytes.start;
        struct byte_range step = {bytes.start, bytes.start + (left < STEP ? left : STEP)};
        if (copy_bytes(copier->from, copier->to, step, step.start) != 0)
            return -1;
        bytes.start = step.end;
    }
    return 0;
}

static void *run(void *data)
{
    struct copier *copier = data;
    for (size_t i = 0; i < copier->count && copier->error == 0; i++)
        if (copy_range(copier, copier->ranges[i]) != 0)
            copier->error = errno;
    return NULL;
}

struct copier *copier_start(int from, int to, const struct byte_range *ranges, size_t count)
{
    struct copier *copier = memory_zeroed(1, sizeof *copier);
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += ranges[i].end - ranges[i].start;
    copier->from = from;
    copier->to = to;
    copier->ranges = memory_zeroed(count, sizeof *ranges);
    memcpy(copier->ranges, ranges, count * sizeof *ranges);
    copier->count = count;
    copier->has_thread =
        size >= WORTH_A_THREAD && pthread_create(&copier->thread, NULL, run, copier) == 0;
    if (!copier->has_thread)
        run(copier);
    return copier;
}

int copier_join(struct copier *copier)
{
    if (copier->has_thread)
        pthread_join(copier->thread, NULL);
    int error = copier->error;
    free(copier->ranges);
    free(copier);
    errno = error;
    return error ? -1 : 0;
}

void copier_cancel(struct copier *copier)
{
    atomic_store(&copier->is_cancelled, true);
    copier_join(copier);
}
