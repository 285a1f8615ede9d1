/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The contents of a table of a live aggregation (runtime/exchange/table.h): its keys with their
 * counts and histograms, summed over the CPUs. A table changes while it is read; each number is one
 * that was there at some moment, so a count may lag a bucket by the hits of that moment, and no
 * more.
 */
#ifndef SDT_AGGREGATE_H
#define SDT_AGGREGATE_H

#include "base/memory.h"
#include "compile/key_look.h"

#include <exchange/table.h>

bool aggregate_is_same_key(const struct live_key *one, const struct live_key *other);

/* One key. */
struct aggregate_row {
    struct live_key key;
    struct live_sums sums; /* with buckets, if there are any */
};

struct aggregate {
    struct live_layout layout;
    struct aggregate_row *rows; /* the most frequent first */
    size_t count;
    uint64_t *buckets; /* of all rows */
    bool is_total;     /* it is shown beside its parts, and labelled */
    /* Hits that are in no row, and what else went wrong: see struct live_table. */
    uint64_t overflow, missing, unmatched, restarted, evicted, unkept;
};

/* Succeeds whatever is in the table. Rows that are empty are left out, if there are keys. */
void aggregate_read(struct aggregate *aggregate, const struct live_view *view);
/* The same of N tables for one thing, of several processes, as if they were one. */
void aggregate_read_all(struct aggregate *aggregate, const struct live_view *const views[],
                        size_t n);
void aggregate_free(struct aggregate *aggregate);
void aggregate_copy(struct aggregate *copy, const struct aggregate *from);
/* Add MORE to TO, which is all zero or of the same form; both have histograms, or neither. */
void aggregate_add(struct aggregate *to, const struct aggregate *more);
/* Keep the MOST rows with the highest counts. How many hits were in the others. */
uint64_t aggregate_trim(struct aggregate *aggregate, size_t most);
/* NOW becomes what was added since BEFORE, an earlier reading of the same table. Minimum and
 * maximum are then known to within a bucket only, but are not beyond those of all. */
void aggregate_subtract(struct aggregate *now, const struct aggregate *before);

/* A bucket, from low to high, both included. False: number I is for no values. */
struct aggregate_bucket {
    __int128 low, high;
    uint64_t count;
};
/* The I-th in ascending order, of live_bucket_count(). */
bool aggregate_bucket(const struct aggregate *aggregate, const struct aggregate_row *row, size_t i,
                      struct aggregate_bucket *bucket);

/* Of a histogram that is not empty: exact, but for percentiles, which are within their bucket, and
 * a mean of sums beyond 64 bits. SHARE is 0.5 for the median. */
__int128 aggregate_min(const struct aggregate *aggregate, const struct aggregate_row *row);
__int128 aggregate_max(const struct aggregate *aggregate, const struct aggregate_row *row);

/* WHOLE, and PART of 1, which is not negative. */
struct aggregate_real {
    __int128 whole;
    double part;
};
struct aggregate_real aggregate_mean(const struct aggregate *aggregate,
                                     const struct aggregate_row *row);
struct aggregate_real aggregate_percentile(const struct aggregate *aggregate,
                                           const struct aggregate_row *row, double share);
double aggregate_double(struct aggregate_real number);
/* For people, who want few digits after the point; and with all of them. */
void aggregate_real_text(struct bytes *to, struct aggregate_real number);
void aggregate_real_json(struct bytes *to, struct aggregate_real number);

/* All values added up, if that IS_EXACTly known; and roughly. */
struct aggregate_sum {
    bool is_exact;
    __int128 whole;
    double estimate;
};
struct aggregate_sum aggregate_sum(const struct aggregate *aggregate,
                                   const struct aggregate_row *row);

/* The contract for scripts: one object each, with a newline. TIME in ns since 1970. LOOK is of both
 * keys; NULL: the keys are not arguments. */
void aggregate_json_count(struct bytes *to, int64_t time, const char *provider, const char *name,
                          const struct aggregate *aggregate, const struct aggregate_row *row,
                          const struct key_look *look, double rate);
void aggregate_json_histogram(struct bytes *to, const char *provider, const char *name,
                              const struct aggregate *aggregate, const struct aggregate_row *row,
                              const struct key_look *look);
/* The name of part I of KEY, a value of an enumeration or a bool; NULL: it has none. */
const char *aggregate_label(const struct live_key *key, unsigned i, const struct key_look *look);
/* The same, if it stands for one value alone: two samples must not have the same labels. */
const char *aggregate_unique_label(const struct live_key *key, unsigned i,
                                   const struct key_look *look);
/* The key for people: texts escaped, two with a blank between. */
void aggregate_key_text(struct bytes *to, const struct live_key *key, const struct key_look *look);

void aggregate_number(struct bytes *to, __int128 number);

#endif
