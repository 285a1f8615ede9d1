/* SPDX-License-Identifier: BSD-2-Clause */
/* Different texts, numbered in the order in which they came: a dictionary. */
#ifndef SDT_BASE_TEXTS_H
#define SDT_BASE_TEXTS_H

#include "memory.h"
#include "slice.h"

/* All zero: none. */
struct texts {
    struct bytes plain; /* each with its length before it, in 4 bytes, as Parquet has them */
    size_t *starts;     /* in these */
    size_t count, capacity, last;
    uint32_t *places; /* a hash table: numbers, from 1; 0: free */
    size_t place_count;
};

/* The number of TEXT, which is new or was there. */
size_t texts_number(struct texts *texts, struct slice text);
/* Text number I with its length. */
struct slice texts_plain(const struct texts *texts, size_t i);
void texts_free(struct texts *texts);

#endif
