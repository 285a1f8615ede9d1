/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/record.h> -- record the probes of the running program, from inside it.
 *
 * A program can be recorded from the shell, without a line of code, by either of
 *
 *     sdt record -o DIR -e 'web:*' -- ./program
 *     SDT_RECORD=DIR SDT_ENABLE='web:*=record' ./program
 *
 * and then `sdt report DIR`, babeltrace2 or Trace Compass read DIR. This header is for programs
 * that want to decide for themselves when and what is recorded:
 *
 *     struct sdt_recorder *recorder;
 *     int error = sdt_record_create("slow-requests", NULL, &recorder);
 *     if (error == 0)
 *         error = sdt_record_add(recorder, "web:*");
 *     …
 *     sdt_record_destroy(recorder);
 *
 * A hit of a recorded probe copies its arguments, the time, process and thread into the ring of its
 * CPU: memory that survives when the program is killed. It never waits, allocates or writes to a
 * disk; if there is no room, the event is lost and counted. Text is copied up to a limit; for an
 * invalid pointer the text is `<fault>`, for NULL `<null>`.
 *
 * DIR is a directory of traces in the Common Trace Format 1.8, one for each program that recorded
 * there. It is created; if it exists, it must be empty or a recording.
 *
 * FORK. A child records into the rings of its parent; each event has its process and thread. The
 * last of these processes writes the files.
 *
 * THREADS. Every function may be called from any thread; none is async-signal-safe.
 *
 * ERRORS are negative errno numbers, as in <sdt/runtime.h>; besides those:
 *   -EBUSY      the process has a recorder already; there can be one at a time
 *   -EEXIST     the directory exists and is not a recording
 *   -ENOTSUP    the machine is not supported, or not with `stack`
 *   -EBADMSG    the file of descriptions cannot be read or has an error
 *   -ENOSPC     no room for the rings (in /dev/shm and in the directory)
 *   -EFBIG      a file would exceed RLIMIT_FSIZE
 *   others      of mkdir, open, write
 */
#ifndef SDT_RECORD_H
#define SDT_RECORD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

struct sdt_recorder;

/* `size` must be set; in the other members, 0 stands for the default. */
struct sdt_record_options {
    size_t size;        /* sizeof(struct sdt_record_options) */
    unsigned flags;     /* SDT_RECORD_… */
    unsigned text_size; /* bytes of a string that are kept, up to 1024; default 256 */
    size_t ring_size;   /* bytes for each CPU, a power of two from 16 KiB to 1 GiB; default: 64 MiB
                           for all CPUs together, but from 256 KiB to 4 MiB each */
    size_t packet_size; /* bytes, a power of two from 4 KiB to ring_size / 2, at most 16 MiB;
                           default 64 KiB, or ring_size / 4 if that is less */
    const char *describe; /* a file that describes probes, see sdt-describe(5); NULL: none */
    unsigned stack;       /* callers of each hit that are recorded, up to 64; default: none */
};

/* When a ring is full, overwrite the oldest events, as a flight recorder does; without this, new
 * events are lost. */
#define SDT_RECORD_FLIGHT 1
/* A thread of this process writes the files while it runs. */
#define SDT_RECORD_THREAD 2
/* Record nothing yet: sdt_record_start() begins. */
#define SDT_RECORD_STOPPED 4
/* With each event, the ids of the trace and the span that its thread works for: sdt_context() in
 * <sdt/runtime.h>. 24 bytes an event. */
#define SDT_RECORD_CONTEXT 8

/* Make DIRECTORY and the rings. OPTIONS may be NULL. 0, and *RECORDER is the caller's, until
 * sdt_record_destroy(); or an error, and nothing is left except, perhaps, the empty directory. */
int sdt_record_create(const char *directory, const struct sdt_record_options *options,
                      struct sdt_recorder **recorder);

/* Record the probes that match PATTERN, also those of libraries that are loaded later. 0, or an
 * error of sdt_enable(); -ENOENT: nothing matches yet. */
int sdt_record_add(struct sdt_recorder *recorder, const char *pattern);

/* Start and stop recording. Probes stay enabled. 0, or -EINVAL: RECORDER is NULL. */
int sdt_record_start(struct sdt_recorder *recorder);
int sdt_record_stop(struct sdt_recorder *recorder);

/*
 * Write the rings' contents to the files. For a flight recorder, this is a snapshot: the events
 * that led to this moment. It takes as long as writing files does. 0; -EBUSY: another process (`sdt
 * record`) does this already; or an error of open or write.
 */
int sdt_record_flush(struct sdt_recorder *recorder);

/*
 * Take a snapshot whenever a probe that matches PATTERN is hit and CONDITION holds for its
 * arguments, as "ns > 1000000 && path ^= \"/api/\"" (the language of `sdt report --filter`): the
 * events that led to the hit are in the files soon afterwards. PATTERN is also recorded. The hit
 * itself writes nothing: a thread of this process does, or `sdt record`; until then, a flight
 * recorder overwrites nothing, and events without room are counted as lost. 0, or an error of
 * sdt_enable(); -EINVAL also: CONDITION has a syntax error; -E2BIG: it has more than 128 names,
 * constants and operators, more than 1024 bytes of names and text, more than 32 operands that wait
 * for their operators, or nests parentheses, signs and `!` more than 16 deep.
 */
int sdt_snapshot_when(struct sdt_recorder *recorder, const char *pattern, const char *condition);

struct sdt_record_stats {
    size_t size;        /* sizeof(struct sdt_record_stats), set by the caller */
    uint64_t lost;      /* events for which there was no room, so far */
    uint64_t bytes;     /* written to files by this process, so far */
    uint64_t used;      /* bytes that were put into the rings, so far */
    uint64_t snapshots; /* requested by sdt_snapshot_when() and written, so far */
};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* g++: it has the name of the structure */
/* Fill in *STATS, whose `size` the caller has set. 0, or -EINVAL: an argument is NULL, or the size
 * too small. */
int sdt_record_stats(const struct sdt_recorder *recorder, struct sdt_record_stats *stats);
#pragma GCC diagnostic pop

/* Stop, write everything to the files, and free RECORDER; called in a handler, its memory stays. 0,
 * or why not everything could be written: `sdt recover` can do it later. */
int sdt_record_destroy(struct sdt_recorder *recorder);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
