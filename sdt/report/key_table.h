/* SPDX-License-Identifier: BSD-2-Clause */
/* What is open, by the key that its other end will have: a hash table that grows. */
#ifndef SDT_KEY_TABLE_H
#define SDT_KEY_TABLE_H

#include "base/memory.h"

/* The first member of an entry; its key is behind the whole. */
struct keyed {
    struct keyed *next; /* in its bucket */
    uint64_t hash;
    size_t key_size;
};

struct key_table {
    size_t entry_size;
    struct keyed **buckets;
    size_t bucket_count, count;
};

void key_table_start(struct key_table *table, size_t entry_size);
uint64_t key_table_hash(const struct bytes *key);
/* Where the entry with KEY is, or would be: then there is NULL. */
struct keyed **key_table_find(const struct key_table *table, const struct bytes *key,
                              uint64_t hash);
/* A new one: zeros, but for the key. */
void *key_table_add(struct key_table *table, const struct bytes *key, uint64_t hash);
/* Free the one at AT. */
void key_table_remove(struct key_table *table, struct keyed **at);
/* Free all that are left, each after EMPTY has freed what it refers to. */
void key_table_end(struct key_table *table, void (*empty)(void *entry));

#endif
