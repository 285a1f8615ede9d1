/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of live aggregations: memory in which hits of probes count while a tool reads.
 * docs/live-programs.md shows it byte by byte.
 *
 *     header     a page: what this is, and counters of what went wrong
 *     keys       a directory that all CPUs share: an open hash table, in which a key is put once.
 *                Where it is, is the number of its row
 *     flights    what LIVE_START has remembered and LIVE_STOP has not taken yet
 *     outliers   the slowest of a latency, with their arguments (outlier.h)
 *     exemplars  a recent hit for each key and range of values, with the ids of its trace
 *                (exemplar.h)
 *     rows       for each CPU its rows, one a key; and once more, after the last CPU's, those that
 *                everybody adds to with locked instructions: where there are no restartable
 *                sequences, and in the rare moments in which one fails. The value is the sum of all
 *
 * A row is one word of a table that counts. Of one with histograms it is 512 words: sum, max, min,
 * 5 spare, and LIVE_BUCKETS buckets; and 512 more, for negative values, if values are signed
 * and buckets not linear. The count is that of all buckets. `max` is value + bias and `min` is
 * ~(value + bias), the largest of each that there was, so that all zero is an empty row; the bias
 * is 2^63 for signed values, else 0. The sum is modulo 2^64.
 *
 * Buckets: 8 for each power of two, so each is at most 1/8 of its values wide. 0 to 15 have one
 * each. Linear ones are LIVE_LINEAR of `step` values each from `low` on, in buckets 1 to
 * LIVE_LINEAR; what is less is in bucket 0, what is more in the one after the last.
 *
 * Neither side trusts the table: the process copies the layout when it makes the table, and later
 * reads only contents; the tool copies the header, checks it, and then treats all contents as
 * arbitrary numbers. Before it maps a table, it must have seen F_SEAL_SHRINK.
 *
 * A table of calls (LIVE_CALLS) is a tree. Its keys are the row of the caller and 1, or 0 if there
 * is none, and the address of the site at which the function begins; a row is sum, max and min of
 * the nanoseconds of the calls, and their number. What a reader finds may not be a tree: who goes
 * down from the rows that have no caller meets each row once.
 *
 * This file and table.c are pure.
 */
#ifndef SDT_EXCHANGE_TABLE_H
#define SDT_EXCHANGE_TABLE_H

#include "program.h"

#include <stdatomic.h>

#define LIVE_TABLE_MAGIC UINT64_C(0x31424154454c4454) /* "TDLETAB1" */
enum {
    LIVE_TABLE_ABI = 1,
    LIVE_PAGE = 4096,
    LIVE_MAX_CPUS = 65536,
    LIVE_MAX_KEYS = 1 << 20,
    LIVE_MAX_FLIGHTS = 1 << 20,
    LIVE_BUCKETS = 496, /* of values that are not negative, and of those that are */
    LIVE_LINEAR = 400,
    LIVE_MAX_PROBES = 32 /* places of the directory that a key can be in */
};
/* How many more outliers there should be than are wanted: see outlier.h. */
enum { LIVE_SPARE = 16, LIVE_MAX_OUTLIERS = 255, LIVE_MAX_EXEMPLARS = 4096 };
#define LIVE_MAX_TABLE (UINT64_C(1) << 34) /* bytes, of which only what is used is there */

enum { LIVE_CALLS = 16 }; /* a value beside those of enum live_type */

/* What a tool asks for, and the process makes. All zero: counts, one row. */
struct live_table_spec {
    uint8_t value;     /* enum live_type: LIVE_NONE counts; S or U: histograms. Or LIVE_CALLS */
    uint8_t key[2];    /* of keys: LIVE_NONE, S, U or STRING; key[1] only with key[0] */
    uint8_t outliers;  /* the slowest that are kept, with their arguments; only with flights */
    uint32_t keys;     /* at least so many; rounded up to a power of two. 0 without keys */
    uint32_t key_text; /* bytes of a STRING that are kept: a multiple of 8; 0 without STRINGs */
    uint32_t flights;  /* LIVE_STARTs at a time; rounded up to a power of two; 0: none */
    int64_t low;       /* linear buckets, if step is not 0 */
    uint64_t step;
    uint32_t exemplars; /* places for them; rounded up to a power of two; 0: none */
    uint16_t period;    /* seconds after which another hit takes the place of one */
    uint8_t takes_bare; /* 1: also hits of threads without a context */
    uint8_t zero;
};

/* What follows from a spec: where everything is, in bytes. */
struct live_layout {
    struct live_table_spec spec; /* keys and flights as rounded */
    uint32_t cpus;  /* that have rows of their own; 0: there are only the shared ones */
    uint32_t entry; /* bytes of a key in the directory */
    uint32_t row;   /* bytes of a row */
    uint32_t zero;
    uint64_t directory, flights, sides, outliers, exemplars, rows; /* where they begin */
    uint64_t stride;                                               /* from CPU to CPU */
    uint64_t size;                                                 /* of all */
};

struct live_table {
    uint64_t magic;
    uint32_t abi;
    uint32_t header; /* sizeof(struct live_layout) */
    struct live_layout layout;
    uint8_t line[512 - 16 - sizeof(struct live_layout)];
    /* Hits. */
    _Atomic uint64_t overflow;  /* whose key found no place */
    _Atomic uint64_t missing;   /* that had no value, or no key */
    _Atomic uint64_t unmatched; /* LIVE_STOP: nothing was started. Of calls: hits of threads for
                                   which there was no room */
    _Atomic uint64_t restarted; /* LIVE_START: the key had been started, and not stopped. Of calls:
                                   those that ended without LIVE_LEAVE */
    _Atomic uint64_t evicted;   /* LIVE_START: there was no place, the oldest one had to go. Of
                                   calls: those that were deeper than is seen */
    _Atomic uint64_t unkept;    /* LIVE_STOP: one of the slowest found no place */
    /* What takes no longer, in ns, is none of the slowest. */
    _Atomic uint64_t slowest;
    int64_t realtime; /* CLOCK_REALTIME less CLOCK_MONOTONIC, when the table was made */
};

/*
 * The layout of a table for CPUS CPUs (0 without restartable sequences), from an untrusted SPEC.
 * False: there is no such table, or it would be too large.
 */
bool live_table_plan(struct live_layout *layout, const struct live_table_spec *spec, uint32_t cpus);
/* layout.size bytes of zeros at MEMORY become a table. */
void live_table_make(void *memory, const struct live_layout *layout);

/* ---- For readers. ---- */

struct live_view {
    const uint8_t *memory;
    struct live_layout layout; /* a copy that was checked */
};

/* False: SIZE bytes at MEMORY are no table that this version knows. */
bool live_table_open(struct live_view *view, const void *memory, size_t size);
/* An older tool meets a newer runtime: the table's ABI number, if it is a table at all, else 0. */
uint32_t live_table_abi(const void *memory, size_t size);

/* One key of a row. */
struct live_key {
    uint8_t type[2];    /* enum live_type; LIVE_NONE: there is none */
    uint64_t number[2]; /* S, U */
    uint32_t length[2]; /* STRING */
    char text[2][LIVE_MAX_KEY_TEXT];
};

/* Outlier number I, of spec.outliers. False: there is none, or it is being written. */
struct live_outlier;
bool live_outlier_read(const struct live_view *view, uint32_t i, struct live_outlier *outlier);
/* The same of exemplar number I, of spec.exemplars. */
struct live_exemplar;
bool live_exemplar_read(const struct live_view *view, uint32_t i, struct live_exemplar *exemplar);

/* Rows of TABLE: 1 without keys. */
static inline uint32_t live_rows(const struct live_layout *layout)
{
    return layout->spec.keys ? layout->spec.keys : 1;
}
/* False: the row has no key yet. Several rows may have the same key: they are to be added. */
bool live_row_key(const struct live_view *view, uint32_t row, struct live_key *key);

/* What is in a row, or several. */
struct live_sums {
    uint64_t count;
    uint64_t sum;      /* modulo 2^64 */
    uint64_t max, min; /* as above; 0: empty */
    uint64_t *buckets; /* live_bucket_count(), the caller's; NULL: not wanted */
};
/* Add ROW, of all CPUs, to SUMS. */
void live_row_add(const struct live_view *view, uint32_t row, struct live_sums *sums);

/* Buckets of a row: 0 of a table that counts. The negative ones are the second half. */
static inline uint32_t live_bucket_count(const struct live_layout *layout)
{
    const struct live_table_spec *spec = &layout->spec;
    return spec->value == LIVE_NONE                    ? 0
           : spec->value == LIVE_CALLS                 ? 0
           : spec->value == LIVE_SIGNED && !spec->step ? 2 * LIVE_BUCKETS
                                                       : LIVE_BUCKETS;
}
/* The smallest and the largest value that bucket I is for. False: it is for none. */
bool live_bucket_bounds(const struct live_layout *layout, uint32_t i, __int128 *low,
                        __int128 *high);

/* ---- For writers. ---- */

/* The bucket of VALUE, not negative: its highest four bits, and 8 for each bit below them. */
static inline uint32_t live_bucket(uint64_t value)
{
    unsigned shift = (63 ^ (unsigned)__builtin_clzll(value | 8)) - 3;
    return shift * 8 + (uint32_t)(value >> shift);
}

#endif
