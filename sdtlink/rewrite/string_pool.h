/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The string section of the site set, .rodata.sdt_str, in the making: every distinct string once.
 */
#ifndef SDTLINK_REWRITE_STRING_POOL_H
#define SDTLINK_REWRITE_STRING_POOL_H

#include "base/memory.h"
#include "base/slice.h"

struct string_pool {
    struct bytes text;
    uint32_t *slots; /* offset + 1 of a string in text; 0: free. Open addressing. */
    size_t slot_count, used;
};

/* The offset of STRING, added if it is new. */
uint32_t string_pool_add(struct string_pool *pool, struct slice string);
void string_pool_free(struct string_pool *pool);

#endif
