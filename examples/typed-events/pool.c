/* SPDX-License-Identifier: BSD-2-Clause */
#include "pool.h"

#include <sdt/event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct block {
    struct block *next;
    unsigned kind;
};

/* The state of the pool goes with each event: a list of numbers, and text that is formatted. */
SDT_EVENT(pool, get, SDT_FIELD(const char *, pool), SDT_FIELD(size_t, size),
          SDT_FIELD(const void *, memory), SDT_FIELD(bool, is_reused), SDT_FIELD_TEXT(kind, 16),
          SDT_FIELD_ARRAY(unsigned, unused, POOL_CLASSES));
SDT_EVENT(pool, put, SDT_FIELD(const void *, memory), SDT_FIELD(unsigned, class_size));

static size_t class_size(unsigned kind)
{
    return (size_t)32 << kind;
}

void *pool_get(struct pool *pool, size_t size)
{
    unsigned kind = 0;
    SDT_RESERVE(pool, get, e);
    while (kind < POOL_CLASSES && class_size(kind) < size)
        kind++;
    if (kind == POOL_CLASSES)
        return NULL; /* the event, if there is one, does not happen */
    struct block *block = pool->unused[kind];
    if (e)
        e->is_reused = block != NULL;
    if (block) {
        pool->unused[kind] = block->next;
        pool->counts[kind]--;
    } else if (!(block = malloc(sizeof *block + class_size(kind))))
        return NULL;
    block->kind = kind;
    if (e) {
        e->pool = pool->name;
        e->size = size;
        e->memory = block + 1;
        snprintf(e->kind, sizeof e->kind, "%zu bytes", class_size(kind));
        while (e->unused_length < POOL_CLASSES) {
            e->unused[e->unused_length] = pool->counts[e->unused_length];
            e->unused_length++;
        }
        SDT_COMMIT(pool, get, e);
    }
    return block + 1;
}

void pool_put(struct pool *pool, void *memory)
{
    struct block *block = (struct block *)memory - 1;
    SDT_RESERVE(pool, put, e);
    if (e) {
        e->memory = memory;
        e->class_size = (unsigned)class_size(block->kind);
    }
    block->next = pool->unused[block->kind];
    pool->unused[block->kind] = block;
    pool->counts[block->kind]++;
    SDT_COMMIT(pool, put, e);
}
