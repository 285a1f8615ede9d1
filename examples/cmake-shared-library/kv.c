/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hash table with chains, doubled when it is full. Probes of provider `kv`:
 *
 *   get(key, value)          a lookup; value is NULL if there is no such key
 *   set(key, length)         a key got a value of this length
 *   grow(old, new)           the table is rebuilt: what every user sees as a pause
 */
#include "kv.h"

#include <sdt/probe.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    char *key, *value;
};

struct kv {
    struct entry **buckets;
    size_t bucket_count, size;
};

static size_t hash(const char *key)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (; *key; key++)
        h = (h ^ (unsigned char)*key) * 1099511628211u;
    return h;
}

struct kv *kv_open(void)
{
    struct kv *kv = calloc(1, sizeof *kv);
    if (!kv)
        return NULL;
    kv->bucket_count = 8;
    kv->buckets = calloc(kv->bucket_count, sizeof *kv->buckets);
    if (!kv->buckets) {
        free(kv);
        return NULL;
    }
    return kv;
}

static void entry_free(struct entry *entry)
{
    free(entry->key);
    free(entry->value);
    free(entry);
}

void kv_close(struct kv *kv)
{
    for (size_t i = 0; i < kv->bucket_count; i++)
        while (kv->buckets[i]) {
            struct entry *entry = kv->buckets[i];
            kv->buckets[i] = entry->next;
            entry_free(entry);
        }
    free(kv->buckets);
    free(kv);
}

static struct entry **find(struct kv *kv, const char *key)
{
    struct entry **entry = &kv->buckets[hash(key) % kv->bucket_count];
    while (*entry && strcmp((*entry)->key, key) != 0)
        entry = &(*entry)->next;
    return entry;
}

static int grow(struct kv *kv)
{
    size_t count = kv->bucket_count * 2;
    struct entry **buckets = calloc(count, sizeof *buckets);
    if (!buckets)
        return -1;
    SDT_PROBE(kv, grow, kv->bucket_count, count);
    for (size_t i = 0; i < kv->bucket_count; i++)
        while (kv->buckets[i]) {
            struct entry *entry = kv->buckets[i];
            kv->buckets[i] = entry->next;
            entry->next = buckets[hash(entry->key) % count];
            buckets[hash(entry->key) % count] = entry;
        }
    free(kv->buckets);
    kv->buckets = buckets;
    kv->bucket_count = count;
    return 0;
}

static struct entry *entry_new(const char *key)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (entry && !(entry->key = strdup(key))) {
        free(entry);
        return NULL;
    }
    return entry;
}

int kv_set(struct kv *kv, const char *key, const char *value)
{
    char *copy = strdup(value);
    if (!copy || (kv->size == kv->bucket_count && grow(kv) < 0)) {
        free(copy);
        return -1;
    }
    struct entry **place = find(kv, key);
    if (!*place) {
        if (!(*place = entry_new(key))) {
            free(copy);
            return -1;
        }
        kv->size++;
    }
    free((*place)->value);
    (*place)->value = copy;
    SDT_PROBE(kv, set, key, strlen(value));
    return 0;
}

const char *kv_get(struct kv *kv, const char *key)
{
    struct entry *entry = *find(kv, key);
    const char *value = entry ? entry->value : NULL;
    SDT_PROBE(kv, get, key, value);
    return value;
}

size_t kv_size(const struct kv *kv)
{
    return kv->size;
}
