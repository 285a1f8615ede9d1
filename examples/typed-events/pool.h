/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of memory in four sizes, kept for reuse. */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

enum { POOL_CLASSES = 4 }; /* 32, 64, 128 and 256 bytes */

struct pool {
    const char *name;
    struct block *unused[POOL_CLASSES];
    unsigned counts[POOL_CLASSES]; /* of unused blocks */
};

/* NULL: larger than all classes, or out of memory. */
void *pool_get(struct pool *pool, size_t size);
void pool_put(struct pool *pool, void *memory);

#endif
