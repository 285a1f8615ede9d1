/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is in a table, as who writes to it and who reads it know it (table.h says what it is for).
 */
#ifndef SDT_LIVE_LAYOUT_H
#define SDT_LIVE_LAYOUT_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * A key in the directory: its tag, and then each key: a word of a number; of a text a word of its
 * length, and its bytes with zeros up to key_text. Whoever finds a tag of 0 may take the place: it
 * makes it BUSY by compare and exchange, writes the key, and makes it READY. Nobody waits for that:
 * who meets a BUSY one tries the next place, and so the same key can be there twice. A tag that is
 * BUSY for ever was a thread that was killed.
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

/* Bytes in a row with a histogram. */
enum { LIVE_ROW_SUM = 0, LIVE_ROW_MAX = 8, LIVE_ROW_MIN = 16, LIVE_ROW_BUCKETS = 64 };

#endif
