/* SPDX-License-Identifier: BSD-2-Clause */
#include "kvd.h"

#include <stdlib.h>

struct entry *slots[SLOTS];
static uint64_t versions;

static struct entry **slot(const char *key)
{
    unsigned hash = 5381;
    for (const char *c = key; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    return &slots[hash % SLOTS];
}

int kvd_store(const char *key, const char *value)
{
    struct entry *entry = kvd_find(key);
    if (!entry) {
        entry = calloc(1, sizeof *entry);
        if (!entry)
            return 0;
        strncpy(entry->key, key, KEY - 1);
        entry->next = *slot(key);
        *slot(key) = entry;
    }
    strncpy(entry->value, value, VALUE - 1);
    entry->version = ++versions;
    TRACE_KVD_STORE(entry->key, strlen(key), entry->value, entry->version);
    return 1;
}

int kvd_evict(const char *key)
{
    for (struct entry **at = slot(key); *at; at = &(*at)->next)
        if (strcmp((*at)->key, key) == 0) {
            struct entry *gone = *at;
            TRACE_KVD_EVICT(key);
            *at = gone->next;
            free(gone);
            return 1;
        }
    return 0;
}
