/* SPDX-License-Identifier: BSD-2-Clause */
#include "key_table.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 64 };

void key_table_start(struct key_table *table, size_t entry_size)
{
    *table = (struct key_table){.entry_size = entry_size, .bucket_count = FIRST_BUCKETS};
    table->buckets = memory_zeroed(FIRST_BUCKETS, sizeof(struct keyed *));
}

uint64_t key_table_hash(const struct bytes *key)
{
    uint64_t hash = hash_bytes(HASH_START, key->data, key->size);
    return hash ^ hash >> 32;
}

static uint8_t *key_of(const struct key_table *table, struct keyed *entry)
{
    return (uint8_t *)entry + table->entry_size;
}

static struct keyed **bucket_of(const struct key_table *table, uint64_t hash)
{
    return &table->buckets[hash & (table->bucket_count - 1)];
}

struct keyed **key_table_find(const struct key_table *table, const struct bytes *key, uint64_t hash)
{
    struct keyed **at = bucket_of(table, hash);
    while (*at && !((*at)->hash == hash && (*at)->key_size == key->size &&
                    memcmp(key_of(table, *at), key->data, key->size) == 0))
        at = &(*at)->next;
    return at;
}

static void put(struct key_table *table, struct keyed *entry)
{
    struct keyed **bucket = bucket_of(table, entry->hash);
    entry->next = *bucket;
    *bucket = entry;
}

static void grow(struct key_table *table)
{
    const struct key_table before = *table;
    table->bucket_count *= 2;
    table->buckets = memory_zeroed(table->bucket_count, sizeof(struct keyed *));
    for (size_t i = 0; i < before.bucket_count; i++)
        for (struct keyed *entry = before.buckets[i], *next; entry; entry = next) {
            next = entry->next;
            put(table, entry);
        }
    free(before.buckets);
}

void *key_table_add(struct key_table *table, const struct bytes *key, uint64_t hash)
{
    if (table->count == table->bucket_count)
        grow(table);
    struct keyed *entry = memory_zeroed(1, table->entry_size + key->size);
    entry->hash = hash;
    entry->key_size = key->size;
    memcpy(key_of(table, entry), key->data, key->size);
    put(table, entry);
    table->count++;
    return entry;
}

void key_table_remove(struct key_table *table, struct keyed **at)
{
    struct keyed *entry = *at;
    *at = entry->next;
    free(entry);
    table->count--;
}

void key_table_end(struct key_table *table, void (*empty)(void *entry))
{
    for (size_t i = 0; i < table->bucket_count; i++)
        while (table->buckets[i]) {
            empty(table->buckets[i]);
            key_table_remove(table, &table->buckets[i]);
        }
    free(table->buckets);
    *table = (struct key_table){0};
}
