/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The layout of a table, for the side that writes and the side that reads (table.h explains its
 * purpose).
 */
#ifndef SDT_EXCHANGE_LAYOUT_H
#define SDT_EXCHANGE_LAYOUT_H

#include "program.h"

#include <stdatomic.h>
#include <stdint.h>

/*
 * A key in the directory: its tag, and then each key: a word of a number; of a text a word of its
 * length, its bytes, and up to key_text the zeros that the table is made of. A thread that finds a
 * tag of 0 may take the place: it makes it BUSY by compare and exchange, writes the key, and makes
 * it READY. No thread waits for that: one that meets a BUSY tag tries the next place, and so the
 * same key can be there twice. If a thread is killed meanwhile, its tag stays BUSY for ever.
 */
enum {
    LIVE_BUSY = 1,
    LIVE_READY = 2,
    LIVE_STATES = 3 /* bits of a tag; the others are of the key's hash */
};

/* What was started. It may be in any place of the group of LIVE_GROUP that its hash says. */
enum { LIVE_GROUP = 8 };
struct live_flight {
    _Atomic uint64_t tag; /* as above, and 0 again when it was taken */
    uint64_t key;         /* the number; of a text its hash */
    uint64_t time;        /* as clock_cycles() has it, or ns */
    uint64_t row;         /* of key 1; UINT64_MAX: there is none */
};

/*
 * The arguments of a hit, as `kept` of its program says (program.h). Of a text, `word` is how many
 * bytes there are, one more than LIVE_SIDE_TEXT if there are more, or one of the two below; of an
 * array how many elements, and 2^32 more if it has more. text[0] is that of the first argument that
 * is not a word, and so on.
 */
enum { LIVE_SIDE_WORDS = 12, LIVE_SIDE_TEXT = 64 };
#define LIVE_SIDE_FAULT UINT64_MAX      /* cannot be read */
#define LIVE_SIDE_NULL (UINT64_MAX - 1) /* has no address */
struct live_side {
    uint32_t tid;
    uint16_t label; /* of the program */
    uint16_t zero;
    uint64_t word[LIVE_SIDE_WORDS];
    char text[LIVE_SIDE_TEXTS][LIVE_SIDE_TEXT + 16]; /* with what is stored after the end */
};

/* One of the slowest. */
struct live_outlier {
    _Atomic uint64_t tag; /* its state, as above; the rest changes with the contents */
    uint64_t ns;
    uint64_t time;            /* when it ended, of CLOCK_MONOTONIC */
    struct live_side side[2]; /* where it began and where it ended */
};

/* A hit for the values that it is one of. */
struct live_exemplar {
    _Atomic uint64_t tag; /* as of an outlier */
    uint64_t row;         /* of its key */
    uint64_t value;       /* of a histogram as it is, of a latency in ns, of a count 1 */
    uint64_t time;        /* of CLOCK_MONOTONIC */
    uint64_t context[3];  /* the ids of its trace and span (process/context.h); 0: it had none */
    struct live_side side[2]; /* where a latency began, if sides are kept; the hit itself */
};

/* Bytes in a row with a histogram. */
enum { LIVE_ROW_SUM = 0, LIVE_ROW_MAX = 8, LIVE_ROW_MIN = 16, LIVE_ROW_BUCKETS = 64 };
/* The same of calls, and how many there were. */
enum { LIVE_ROW_CALLS = 24, LIVE_CALLS_ROW = 32 };

#endif
