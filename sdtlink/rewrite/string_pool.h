/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A section of strings in the making: every distinct one once. A string may have NULs in it, as the
 * names of a site's arguments have between them.
 */
#ifndef SDTLINK_REWRITE_STRING_POOL_H
#define SDTLINK_REWRITE_STRING_POOL_H

#include "base/memory.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct pooled {
    bool is_used;
    uint32_t at, length; /* in the text */
};

struct string_pool {
    struct bytes text;
    struct pooled *slots; /* open addressing */
    size_t slot_count, used;
};

/* The offset of STRING, added if it is new. */
uint32_t string_pool_add(struct string_pool *pool, struct slice string);
void string_pool_free(struct string_pool *pool);

#endif
