/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From rings to files: what has been recorded is appended to the streams `cpu0`, `cpu1` … of a
 * directory. The recorder does it when its process ends or, on request, in a thread; otherwise `sdt
 * record` does it from outside, and `sdt recover` after a crash. One at a time.
 */
#ifndef SDT_RECORDER_DRAIN_H
#define SDT_RECORDER_DRAIN_H

#include "ring.h"
#include "storage.h"

struct drain {
    int directory;          /* the caller's */
    struct ring_file *file; /* mapped, the caller's */
    struct ring_file shape; /* what it said at the beginning: processes may write anything there */
    size_t stride;
    struct handle *streams;
    void *packet;           /* room for one */
    _Atomic uint64_t bytes; /* written so far, */
    uint64_t events;        /* and how many events that was */
    uint64_t found;         /* scratch */
};

/* 0, -ENOMEM, or -EINVAL: FILE does not say that it has the SIZE bytes that are mapped. */
int drain_begin(struct drain *drain, int directory, struct ring_file *file, size_t size);
void drain_end(struct drain *drain);

/* Write the packets that are complete. 0, or what went wrong: then nothing was taken from the ring
 * that is not on disk. */
int drain_packets(struct drain *drain);
/* The same, and then also the events of packets that are not. */
int drain_all(struct drain *drain);
/*
 * When the rings are not written any more and all are drained: write to the files how fast the
 * clock was, as measured at the end of the recording, and how many events were lost.
 */
int drain_finish(struct drain *drain);
/* All that is left of the ring number CPU, and how many of its events were lost: the same, when it
 * is not written any more, for those that only read. */
int drain_one(struct drain *drain, uint32_t cpu);

/*
 * How a stream goes on where its whole packets end: not at all, with a packet that was not written
 * to its end, or with what is not a packet.
 */
enum stream_end { STREAM_WHOLE, STREAM_TORN, STREAM_FOREIGN };
/*
 * Walk over the packets of the stream FD up to the first whose number is SEQUENCE or more (it
 * counts as torn): *AT is where it or the end is. An enum stream_end, or an error.
 */
int drain_walk(int fd, uint64_t sequence, uint64_t *at);

/* Events lost so far. */
uint64_t drain_lost(const struct drain *drain);

#endif
