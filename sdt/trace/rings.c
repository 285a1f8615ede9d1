/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See rings.h. The memory is mapped privately, and drained (ring/drain.h) into memory of ours as
 * `sdt recover` drains it into files: there is one reader of rings. The locks are those of whoever
 * drains, so that the same events are not written to the files meanwhile.
 */
#include "rings.h"

#include "base/diag.h"
#include "packet.h"
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <ring/clock.h>
#include <ring/drain.h>
#include <ring/storage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- One ring. ---- */

static struct stream *find_stream(const struct trace *trace, uint32_t cpu)
{
    char name[32];
    snprintf(name, sizeof name, "/cpu%" PRIu32, cpu);
    for (size_t i = 0; i < trace->stream_count; i++)
        if (!strcmp(strrchr(trace->streams[i].path, '/'), name))
            return &trace->streams[i];
    return NULL;
}

static struct stream *add_stream(struct recording *recording, struct trace *trace, uint32_t cpu)
{
    trace->streams = memory_resize(trace->streams, trace->stream_count + 1, sizeof *trace->streams);
    struct stream *stream = &trace->streams[trace->stream_count++];
    *stream = (struct stream){.recording = recording,
                              .path = memory_format("%s/cpu%" PRIu32, trace->path, cpu)};
    return stream;
}

/* Whether ring number CPU has something that is in no file, or cannot be right. */
static bool has_rest(const struct drain *drain, uint32_t cpu)
{
    const struct ring *ring = ring_of(drain->file, drain->stride, cpu);
    return atomic_load(&ring->head) != atomic_load(&ring->tail) || atomic_load(&ring->lost);
}

/* The writer of the files may have been killed in the middle of a packet, or after it, before the
 * ring knew: what is in the ring still is read from there. */
static int cut_stream(struct stream *stream, uint64_t sequence)
{
    uint64_t whole = 0;
    int fd = open(stream->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    int end = fd < 0 ? -errno : drain_walk(fd, sequence, &whole);
    if (fd >= 0)
        close(fd);
    if (end == STREAM_TORN)
        stream_cut(stream, (size_t)whole);
    return end < 0 ? end : 0;
}

/* Map what was drained into FILE as the rest of the stream. */
static int take_rest(struct recording *recording, struct trace *trace, uint32_t cpu, int file)
{
    struct stream *stream = find_stream(trace, cpu);
    off_t size = lseek(file, 0, SEEK_END);
    if (size <= 0)
        return size < 0 ? -errno : 0;
    void *data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED)
        return -errno;
    stream_go_on(stream ? stream : add_stream(recording, trace, cpu), data, (size_t)size);
    return 0;
}

static int read_ring(struct recording *recording, struct trace *trace, struct drain *drain,
                     uint32_t cpu)
{
    struct stream *stream = find_stream(trace, cpu);
    const struct ring *ring = ring_of(drain->file, drain->stride, cpu);
    int error = stream ? cut_stream(stream, ring->sequence) : 0;
    if (error || !has_rest(drain, cpu))
        return error;
    drain->streams[cpu] = handle_keep(memfd_create("sdt-rings", MFD_CLOEXEC));
    if (drain->streams[cpu].fd < 0)
        return -errno;
    error = drain_one(drain, cpu);
    int taken = take_rest(recording, trace, cpu, drain->streams[cpu].fd);
    handle_close(&drain->streams[cpu]);
    return error ? error : taken;
}

/* ---- All of them. ---- */

static int by_number(const void *one, const void *other)
{
    const struct stream *a = one, *b = other;
    unsigned long first = strtoul(strrchr(a->path, '/') + 4, NULL, 10);
    unsigned long second = strtoul(strrchr(b->path, '/') + 4, NULL, 10);
    return (first > second) - (first < second);
}

/* How fast the clock was, as measured until now: what `sdt recover` would write. */
static void set_clock(struct trace *trace, const struct ring_file *file)
{
    int64_t seconds, cycles;
    uint64_t frequency = clock_frequency(file);
    clock_offset(file, frequency, &seconds, &cycles);
    if (frequency && seconds >= 0) /* else it is damaged */
        trace->clock = (struct trace_clock){frequency, (uint64_t)seconds, (uint64_t)cycles};
}

static int read_all(const struct storage *storage, struct recording *recording, struct trace *trace,
                    uint64_t *events)
{
    struct drain drain;
    /* Ours, to note in it what has been read. */
    struct ring_file *copy =
        mmap(NULL, storage->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, storage->rings, 0);
    if (copy == MAP_FAILED)
        return -errno;
    int error =
        ring_is_valid(copy, storage->size) ? drain_begin(&drain, -1, copy, storage->size) : -EINVAL;
    if (!error) {
        for (uint32_t cpu = 0; cpu < drain.shape.cpus; cpu++) {
            int one = read_ring(recording, trace, &drain, cpu);
            error = error ? error : one;
        }
        *events = drain.events;
        if (trace->stream_count)
            qsort(trace->streams, trace->stream_count, sizeof *trace->streams, by_number);
        set_clock(trace, &drain.shape);
        drain_end(&drain);
    }
    munmap(copy, storage->size);
    return error;
}

static void tell_error(struct recording *recording, const struct diag_place *place, int error)
{
    if (error == -EBUSY) {
        diag_warn(place, "the program still records: its last events are left out", NULL);
    } else if (error == -ENOENT) {
        diag_warn(place, "its last events were in memory, which is gone: they are missing",
                  "after a kill, read or recover a recording before the machine is restarted");
    } else if (error == -EACCES || error == -EPERM) {
        diag_warn(place, "its last events are in memory of another user: they are left out",
                  "sdt recover, as that user, writes them to the recording");
    } else {
        recording->is_damaged = true;
        diag_error("%s/.rings: %s", place->file,
                   error == -EINVAL ? "this is not a ring file, or is of another version"
                                    : strerror(-error));
    }
}

/* ---- For recording.c. ---- */

void rings_open(struct rings *rings, const char *path)
{
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *rings = (struct rings){.lock = -1};
    rings->are_there =
        directory >= 0 && faccessat(directory, ".rings", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    if (!rings->are_there) {
        if (directory >= 0)
            close(directory);
        return;
    }
    rings->error = storage_open(&rings->storage, directory);
    if (!rings->error && !storage_is_over(&rings->storage))
        rings->error = -EBUSY;
    if (!rings->error)
        rings->error = storage_lock_drain(&rings->storage, &rings->lock);
}

void rings_read(const struct rings *rings, struct recording *recording, struct trace *trace)
{
    uint64_t events = 0;
    int error = rings->error;
    if (!rings->are_there)
        return;
    if (!error)
        error = read_all(&rings->storage, recording, trace, &events);
    const struct diag_place place = {.file = trace->path};
    if (error)
        tell_error(recording, &place, error);
    static const char advice[] = "sdt recover writes them, before the machine stops";
    char *text =
        memory_format("the program ended without writing its last %llu event%s: read from memory",
                      (unsigned long long)events, events == 1 ? "" : "s");
    if (events)
        diag_warn(&place, text, advice);
    free(text);
}

void rings_close(struct rings *rings)
{
    if (!rings->are_there)
        return;
    if (rings->lock >= 0)
        close(rings->lock);
    storage_close(&rings->storage);
}
