/* SPDX-License-Identifier: BSD-2-Clause */
#include "string_pool.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static uint64_t hash(struct slice string)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < string.length; i++)
        value = (value ^ (uint8_t)string.text[i]) * UINT64_C(0x100000001b3);
    return value;
}

/* The slot that holds STRING or is free for it. */
static uint32_t *find(const struct string_pool *pool, struct slice string)
{
    size_t i = hash(string) & (pool->slot_count - 1);
    for (;; i = (i + 1) & (pool->slot_count - 1)) {
        uint32_t *slot = &pool->slots[i];
        if (!*slot || slice_is(string, (const char *)pool->text.data + *slot - 1))
            return slot;
    }
}

static void grow(struct string_pool *pool)
{
    uint32_t *old = pool->slots;
    size_t old_count = pool->slot_count;
    pool->slot_count = old_count ? old_count * 2 : 256;
    pool->slots = memory_zeroed(pool->slot_count, sizeof *pool->slots);
    for (size_t i = 0; i < old_count; i++) {
        if (!old[i])
            continue;
        const char *text = (const char *)pool->text.data + old[i] - 1;
        *find(pool, (struct slice){text, strlen(text)}) = old[i];
    }
    free(old);
}

uint32_t string_pool_add(struct string_pool *pool, struct slice string)
{
    if (pool->used * 2 >= pool->slot_count)
        grow(pool);
    uint32_t *slot = find(pool, string);
    if (!*slot) {
        size_t offset = bytes_append(&pool->text, string.text, string.length);
        bytes_append(&pool->text, "", 1);
        *slot = (uint32_t)offset + 1;
        pool->used++;
    }
    return *slot - 1;
}

void string_pool_free(struct string_pool *pool)
{
    bytes_free(&pool->text);
    free(pool->slots);
    *pool = (struct string_pool){0};
}
