/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stream: the file of one ring, packets one after the other, and the events in them.
 *
 * ring/ring.h has both, bit by bit.
 *
 * All of it is little endian. Nothing is trusted. The readable part of a damaged packet is read,
 * with one warning, and the recording counts as damaged.
 */
#ifndef SDT_PACKET_H
#define SDT_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct recording;
struct trace;

/* A part of a stream: SIZE bytes are mapped, of which USED are read. */
struct stream_part {
    const uint8_t *data;
    size_t size, used;
};

struct stream {
    struct recording *recording;
    const struct trace *trace;
    char *path;
    const uint8_t *data; /* all of the file, mapped; then the rest */
    size_t size;
    struct stream_part file, rest; /* what was mapped; most often there is no rest */
    /* Where reading is. */
    size_t packet, packet_end; /* offsets in the file */
    size_t at, end;            /* of the next event, and of the last one's end */
    uint64_t number;           /* of the packets seen */
    uint64_t timestamp, latest, sequence;
    uint64_t earliest; /* of the first event */
    uint32_t ring;     /* its number: that of the CPU, if rings belong to CPUs */
    bool has_warned;   /* of this packet */
    bool is_repeated;  /* read again: all warnings were given */
    /* What was found so far. */
    uint64_t events, discarded, missing, damaged;
};

/* An event whose fields have not been decoded. Points into the stream's file. */
struct raw_event {
    uint64_t timestamp;
    uint32_t id, ring, pid, tid;
    const uint8_t *payload;
    size_t size;
    size_t offset; /* in the file, or in the rest */
};

/* Map file NAME of TRACE. The stream is not to be moved to another trace. */
int stream_open(struct stream *stream, struct recording *recording, const struct trace *trace,
                const char *name);
void stream_close(struct stream *stream);
/* Read only the first SIZE bytes of the file. */
void stream_cut(struct stream *stream, size_t size);
/* After the file, go on with the SIZE bytes at DATA, which are packets, mapped, and the stream's.
 */
void stream_go_on(struct stream *stream, const void *data, size_t size);
/* Begin anew. */
void stream_rewind(struct stream *stream);
/* The next event; false: no more. */
bool stream_next(struct stream *stream, struct raw_event *event);
/* PROBLEM is at OFFSET of the file: a warning, unless this packet had one. */
void stream_damaged(struct stream *stream, size_t offset, const char *problem);
/* After the last event: the remaining warnings about damaged packets. */
void stream_finish(struct stream *stream);

#endif
