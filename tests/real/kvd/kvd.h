/* SPDX-License-Identifier: BSD-2-Clause */
/* A store of keys and values that serves commands, in several files and two languages. */
#ifndef KVD_H
#define KVD_H

#include "kvd_types.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kvd_probes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SLOTS = 64, KEY = 16, VALUE = 32 };

struct entry {
    struct entry *next;
    char key[KEY];
    char value[VALUE];
    uint64_t version;
};

extern struct entry *slots[SLOTS];

/* Compiled into each file that uses it. */
static inline struct entry *kvd_find(const char *key)
{
    unsigned hash = 5381;
    int depth = 0;
    for (const char *c = key; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    struct entry *found = slots[hash % SLOTS];
    while (found && strcmp(found->key, key) != 0) {
        found = found->next;
        depth++;
    }
    TRACE_KVD_FIND(key, strlen(key), depth);
    return found;
}

int kvd_store(const char *key, const char *value);
int kvd_evict(const char *key);
int kvd_command(const char *line, ConnectionId id);
int kvd_dump(int64_t time);

#ifdef __cplusplus
}
#endif
#endif
