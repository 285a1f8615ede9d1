/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of 64 bytes, 128 and so on up to the whole, each aligned to its size: what was given back
 * is taken again for the same size. One processor at a time. */
#include "kernel.h"

enum { UNIT = 64, CLASSES = 17, SIZE = UNIT << (CLASSES - 1) };

static unsigned char heap[SIZE] __attribute__((aligned(4096)));
static unsigned char class_of[SIZE / UNIT];
static size_t used;

static struct block {
    struct block *next;
} * given_back[CLASSES];

void *memory_take(size_t size, size_t alignment)
{
    unsigned class = 0;
    while (class < CLASSES && ((size_t)UNIT << class < size || (size_t)UNIT << class < alignment))
        class ++;
    if (class == CLASSES)
        return NULL;
    struct block *block = given_back[class];
    if (block != NULL) {
        given_back[class] = block->next;
        return block;
    }
    size_t bytes = (size_t)UNIT << class, at = (used + bytes - 1) & ~(bytes - 1);
    if (at + bytes > SIZE)
        return NULL;
    used = at + bytes;
    class_of[at / UNIT] = (unsigned char)class;
    return heap + at;
}

void memory_give(void *memory)
{
    struct block *block = memory;
    if (block == NULL)
        return;
    unsigned class = class_of[((unsigned char *)memory - heap) / UNIT];
    block->next = given_back[class];
    given_back[class] = block;
}
