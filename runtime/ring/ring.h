/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rings of a recording: memory that processes, which hit probes, share with the writer that
 * stores their events on disk. docs/recording.md shows it byte by byte.
 *
 * There is a ring for each CPU. Its memory is divided into packets of one size, a power of two,
 * which are used in turn. The state of a ring is one word, `head`: how many bytes were ever used.
 *
 *     head is a multiple of the packet size   the next packet has not been begun
 *     otherwise                               head points after the last event of a packet
 *
 * So there are three steps. Each writes bytes after `head` or into the header of a packet, which
 * are not read yet, and then moves `head`:
 *
 *     open     write a header; head goes after it
 *     append   write an event; head goes after it
 *     close    say in the header how long the packet is; head goes to its end
 *
 * A step that is interrupted before its last store, by a signal, another thread on this CPU or
 * SIGKILL, has not happened. Each is one restartable sequence (ring_commit), so it never waits,
 * needs no locked instruction, and is safe in signal handlers. What `head` has passed is complete:
 * a recording that ends by SIGKILL is complete up to the last event of each CPU.
 *
 * This file and ring.c are pure: memory, CPU and time are arguments.
 */
#ifndef SDT_RECORDER_RING_H
#define SDT_RECORDER_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_MAGIC UINT64_C(0x31474e4952544453) /* "SDTRING1" */
#define RING_PAGE 4096
#define RING_MAX_CPUS 65536
#define RING_LEAST_PACKET 4096
#define RING_MAX_PACKET (1u << 24)
#define RING_MAX_HEAD (UINT64_C(1) << 62) /* no ring reaches that, unless it is damaged */

/* What a snapshot is of: the hit whose condition held. */
struct ring_cause {
    _Atomic uint64_t time; /* cycles, after those of its event; 0: not set yet */
    uint64_t ns;           /* since a latency began; 0: it is none */
    uint32_t pid, tid, class, zero;
};

/* The first page of the file. */
struct ring_file {
    uint64_t magic;
    uint32_t version;   /* 1 */
    uint32_t cpus;      /* rings */
    uint32_t packet;    /* bytes of a packet, a power of two */
    uint32_t packets;   /* packets of a ring, a power of two, at least 2 */
    uint32_t is_flight; /* the oldest packet is overwritten when there is no room; else events are
                           lost */
    uint32_t pid;       /* who made it */
    uint8_t uuid[16];
    /* The clock: cycle `cycles` was at `epoch` ns since 1970, and there are `frequency` a second.
     */
    uint64_t cycles, epoch, frequency;
    uint64_t monotonic;       /* the same moment by CLOCK_MONOTONIC, in ns */
    uint32_t is_tsc;          /* else cycles are ns of CLOCK_MONOTONIC */
    _Atomic uint32_t classes; /* class numbers given out */
    uint8_t boot[16];         /* of this start of the kernel, see random(4) */
    /* Snapshots (snapshot.h): 1 from when one is wanted until it is written, when nothing is
     * overwritten; since when; and how many were written. */
    _Atomic uint32_t wanted, snapshots;
    _Atomic uint64_t wanted_at; /* cycles */
    uint32_t is_per_thread;     /* a ring is a thread's, since there are no restartable sequences */
    uint32_t zero;
    /* The cause is stored before `wanted`, by the hit that has changed `claimed` from 0 to now: by
     * no other for a second. Who clears `wanted` clears it afterwards. */
    _Atomic uint64_t claimed; /* cycles */
    struct ring_cause cause;
};

/* A ring: one page, and then its packets. What writers and readers store is in lines apart. */
struct ring {
    _Atomic uint64_t head; /* see above */
    uint64_t last;         /* time of the last step: time never goes back in a ring */
    _Atomic uint64_t lost; /* events */
    uint8_t line[40];
    _Atomic uint64_t tail; /* up to here it has been read */
    uint64_t sequence;     /* reader's: packets that it has written */
    _Atomic int32_t owner; /* of a ring that is a thread's: which; 0: none yet */
    uint32_t zero;
    uint64_t next_sequence, next_tail; /* once `sequence` is this, `tail` becomes that: drain.c */
    uint8_t page[RING_PAGE - 104];
    uint64_t data[];
};

/* What a packet begins with, in memory and on disk: packet header and context of CTF 1.8. */
struct ring_packet {
    uint32_t magic; /* RING_PACKET_MAGIC */
    uint8_t uuid[16];
    uint32_t stream;
    uint64_t begin, end;    /* cycles */
    uint64_t content, size; /* bits */
    uint64_t sequence;      /* number of the packet in its ring */
    uint64_t lost;          /* events of this ring, since the start */
    uint32_t cpu;
    uint32_t zero;
};
#define RING_PACKET_MAGIC 0xc1fc1fc1u
/* Content of a packet without events: what stands before `zero`, which pads the first one. */
#define RING_NO_EVENTS (8 * (uint64_t)offsetof(struct ring_packet, zero))
_Static_assert(sizeof(struct ring_packet) == 80, "docs/recording.md");

/*
 * An event begins with two words:
 *
 *     0–43 low bits of its time    44–63 its class
 *     0–21 process   22–31 low bits of its length   32–53 thread   54–63 high bits of it
 *
 * The length, in bytes, is for us: to readers of CTF these bits are padding. An event takes whole
 * words of 8 bytes; what is left of the last one is zero. The time is told by 44 bits as long as
 * there are less than half as many cycles between two events of a packet.
 */
#define RING_TIME_BITS 44
#define RING_PROCESS_BITS 22
#define RING_LOW_BYTES 0x3ff /* a length that has no high bits */
#define RING_MAX_BYTES ((1u << 20) - 1)
static inline uint64_t ring_first_word(uint64_t now, uint32_t class)
{
    return (now & ((UINT64_C(1) << RING_TIME_BITS) - 1)) | (uint64_t) class << RING_TIME_BITS;
}
static inline uint64_t ring_second_word(uint32_t process, uint32_t thread, size_t bytes)
{
    uint64_t mask = (UINT64_C(1) << RING_PROCESS_BITS) - 1;
    return (process & mask) | (bytes & 0x3ff) << RING_PROCESS_BITS | (thread & mask) << 32 |
           (uint64_t)(bytes & 0xffc00) << 44;
}
static inline size_t ring_bytes(uint64_t second_word)
{
    return (second_word >> RING_PROCESS_BITS & 0x3ff) | (second_word >> 44 & 0xffc00);
}
/* Whether an event at NOW must be in another packet than one at BEFORE. */
static inline bool ring_is_far(uint64_t before, uint64_t now)
{
    return (now - before) >> (RING_TIME_BITS - 1) != 0;
}

/* One step: if head is still HEAD, copy WORDS words FROM … TO …, store LAST, and NEXT as head. */
struct ring_write {
    uint64_t head, next, last;
    uint64_t *to;
    const uint64_t *from;
    size_t words; /* at least 1 */
};

/*
 * What has to be written to begin a packet in RING, number CPU of FILE, whose head is WRITE->head,
 * or to end the one that it is in; NOW is a time read after that. Room for the header of a packet
 * is in PACKET. False: there is no room, the event is lost.
 */
bool ring_turn(const struct ring_file *file, struct ring *ring, uint32_t cpu, uint64_t now,
               struct ring_packet *packet, struct ring_write *write);

static inline bool ring_is_power_of_two(uint64_t n)
{
    return n && !(n & (n - 1));
}

static inline uint64_t *ring_place(const struct ring_file *file, struct ring *ring,
                                   uint64_t position)
{
    return &ring->data[(position & ((uint64_t)file->packet * file->packets - 1)) / 8];
}

/* Whether what goes from HEAD to NEXT, and a word after it, is in the packet that HEAD is in. */
static inline bool ring_has_room(const struct ring_file *file, uint64_t head, uint64_t next)
{
    /* Of a packet that was not begun, head - 1 belongs to the packet before. */
    return (((head - 1) ^ (next + 7)) & ~(uint64_t)(file->packet - 1)) == 0;
}

/* The snapshot was written, or cannot be: the next hit may ask for one. */
static inline void ring_forget_snapshot(struct ring_file *file)
{
    file->cause.time = 0;
    atomic_store(&file->wanted, 0);
    atomic_store(&file->claimed, 0);
}

/* Bytes from ring to ring, and of the file. */
size_t ring_stride(const struct ring_file *file);
size_t ring_size(const struct ring_file *file);
/* Whether FILE, a copy of the first page, says that it is one with SIZE bytes. */
bool ring_has_size(const struct ring_file *file, size_t size);
/* Whether FILE, of which SIZE bytes are mapped, is one. It is untrusted. */
bool ring_is_valid(const struct ring_file *file, size_t size);
static inline struct ring *ring_of(const struct ring_file *file, size_t stride, uint32_t cpu)
{
    return (struct ring *)(void *)((char *)file + RING_PAGE + cpu * stride);
}

#endif
