/* SPDX-License-Identifier: BSD-2-Clause */
#include "memory.h"

#include "diag.h"

#include <limits.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void memory_is_exhausted(void)
{
    diag_error("out of memory");
    exit(EXIT_FAILURE);
}

static void *checked(void *block)
{
    if (!block)
        memory_is_exhausted();
    return block;
}

/* malloc() maps blocks of this size, each by itself; smaller ones are in the heap. */
enum { MAPPED_BLOCK = 32 << 20 };

/*
 * A wish, for the SIZE bytes at START, as far as they have not been used yet. It includes the page
 * with malloc()'s head: mremap() takes no part of a mapping.
 */
static void wish_huge_pages(void *start, size_t size)
{
    enum { PAGE = 4096 };
    size_t before = (uintptr_t)start % PAGE;
    (void)!madvise((uint8_t *)start - before, before + size, MADV_HUGEPAGE);
}

/*
 * The heap grows by all of it at once, before any of it is used: memory that was touched page by
 * page stays so. The gap, never used either, ends where the first huge page begins.
 */
void memory_expect(size_t size)
{
    static void *volatile gap;
    const size_t most = (size_t)1 << 30, more_than_there_is = 1 << 18;
    if (gap)
        return;
    uint8_t *start = sbrk(0);
    size_t before = more_than_there_is + -((uintptr_t)start + more_than_there_is) % HUGE_PAGE;
    mallopt(M_MMAP_THRESHOLD, MAPPED_BLOCK);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, (int)((size < most ? size : most) + 2 * (size_t)HUGE_PAGE));
    gap = malloc(before); /* NULL: so much is not to be had, even where it is not used */
    mallopt(M_TOP_PAD, HUGE_PAGE);
    uint8_t *end = sbrk(0);
    if (end > start)
        wish_huge_pages(start, (size_t)(end - start));
}

static void *in_huge_pages(void *block, size_t count, size_t size)
{
    if (size && count >= MAPPED_BLOCK / size)
        wish_huge_pages(block, count * size);
    return block;
}

void *memory_zeroed(size_t count, size_t size)
{
    return in_huge_pages(checked(calloc(count ? count : 1, size)), count, size);
}

void *memory_resize(void *block, size_t count, size_t size)
{
    return in_huge_pages(checked(reallocarray(block, count ? count : 1, size)), count, size);
}

char *memory_format(const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return checked(length < 0 ? NULL : text);
}

void *memory_with_room(void *block, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return block;
    *capacity = *capacity * 2 + 64;
    return memory_resize(block, *capacity, size);
}

void bytes_grow(struct bytes *bytes, size_t size)
{
    bytes->capacity = bytes->capacity * 2 + size + 64;
    bytes->data = memory_resize(bytes->data, bytes->capacity, 1);
}

void bytes_reserve(struct bytes *bytes, size_t size)
{
    if (size <= bytes->capacity - bytes->size)
        return;
    bytes->capacity = bytes->size + size;
    bytes->data = memory_resize(bytes->data, bytes->capacity, 1);
}

void bytes_free(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){0};
}

char *bytes_take_text(struct bytes *bytes)
{
    bytes_append(bytes, "", 1);
    char *text = (char *)bytes->data;
    *bytes = (struct bytes){0};
    return text;
}

struct arena_block {
    struct arena_block *before;
    size_t size; /* of what follows */
    _Alignas(max_align_t) uint8_t data[];
};

void *arena_keep(struct arena *arena, const void *data, size_t size)
{
    enum { BLOCK = 1 << 14 };
    size_t taken = (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
    if (!arena->last || taken > arena->left) {
        size_t room = taken > BLOCK ? taken : BLOCK;
        struct arena_block *block = memory_resize(NULL, sizeof *block + room, 1);
        *block = (struct arena_block){.before = arena->last, .size = room};
        arena->last = block;
        arena->left = room;
    }
    void *copy = arena->last->data + arena->last->size - arena->left;
    arena->left -= taken;
    return size ? memcpy(copy, data, size) : copy;
}

void arena_free(struct arena *arena)
{
    while (arena->last) {
        struct arena_block *block = arena->last;
        arena->last = block->before;
        free(block);
    }
    arena->left = 0;
}

void bits_init(struct bits *bits, size_t count)
{
    bits->words = memory_zeroed(count / 64 + 1, sizeof *bits->words);
    bits->count = count;
}

void bits_free(struct bits *bits)
{
    free(bits->words);
    *bits = (struct bits){0};
}
