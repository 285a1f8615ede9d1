/* SPDX-License-Identifier: BSD-2-Clause */
#include "string_pool.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash(struct slice string)
{
    return hash_bytes(HASH_START, string.text, string.length);
}

static struct slice text_of(const struct string_pool *pool, const struct pooled *pooled)
{
    return (struct slice){(const char *)pool->text.data + pooled->at, pooled->length};
}

/* The slot that holds STRING or is free for it. */
static struct pooled *find(const struct string_pool *pool, struct slice string)
{
    size_t i = hash(string) & (pool->slot_count - 1);
    for (;; i = (i + 1) & (pool->slot_count - 1)) {
        struct pooled *slot = &pool->slots[i];
        if (!slot->is_used || (slot->length == string.length &&
                               !memcmp(text_of(pool, slot).text, string.text, string.length)))
            return slot;
    }
}

static void grow(struct string_pool *pool)
{
    struct pooled *old = pool->slots;
    size_t old_count = pool->slot_count;
    pool->slot_count = old_count ? old_count * 2 : 256;
    pool->slots = memory_zeroed(pool->slot_count, sizeof *pool->slots);
    for (size_t i = 0; i < old_count; i++)
        if (old[i].is_used)
            *find(pool, text_of(pool, &old[i])) = old[i];
    free(old);
}

uint32_t string_pool_add(struct string_pool *pool, struct slice string)
{
    if (pool->used * 2 >= pool->slot_count)
        grow(pool);
    struct pooled *slot = find(pool, string);
    if (!slot->is_used) {
        size_t at = bytes_append(&pool->text, string.text, string.length);
        bytes_append(&pool->text, "", 1);
        *slot = (struct pooled){true, (uint32_t)at, (uint32_t)string.length};
        pool->used++;
    }
    return slot->at;
}

void string_pool_free(struct string_pool *pool)
{
    bytes_free(&pool->text);
    free(pool->slots);
    *pool = (struct string_pool){0};
}
