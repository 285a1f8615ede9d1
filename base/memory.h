/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Allocation that cannot fail, growable byte strings and bit sets.
 *
 * The tool is short-lived and its memory needs are bounded by its input, so running out of memory
 * ends it with a message and exit status 1 instead of an error path in every function. Nothing is
 * lost by that: the input is never written to, and the unfinished output is a temporary file that
 * output.c removes at exit.
 */
#ifndef SDT_BASE_MEMORY_H
#define SDT_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What happens then: a message, and exit(). */
void memory_is_exhausted(void) __attribute__((noreturn));
enum { HUGE_PAGE = 1 << 21 };

/*
 * Up to SIZE bytes will be allocated: have them in huge pages. A page fault costs 0.1 microseconds,
 * or 20 where a hypervisor shadows the page tables, and a big object needs thousands of pages.
 */
void memory_expect(size_t size);
void *memory_zeroed(size_t count, size_t size);
void *memory_resize(void *block, size_t count, size_t size);
/* BLOCK of *CAPACITY items of SIZE, COUNT of them used, with room for one more. */
void *memory_with_room(void *block, size_t count, size_t *capacity, size_t size);
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A byte string that grows at its end. All zero is the empty one. */
struct bytes {
    uint8_t *data;
    size_t size;
    size_t capacity;
};

/* Make room for at least SIZE bytes more, and for as many as there are: more may follow. */
void bytes_grow(struct bytes *bytes, size_t size);
/* Make room for SIZE bytes more, since they are known to follow. */
void bytes_reserve(struct bytes *bytes, size_t size);

/*
 * Append SIZE bytes (zeros if DATA is NULL); returns the offset at which they start. Inline, since
 * a site is some forty small pieces, most of whose sizes the compiler knows.
 */
static inline size_t bytes_append(struct bytes *bytes, const void *data, size_t size)
{
    size_t start = bytes->size;
    if (size > bytes->capacity - bytes->size)
        bytes_grow(bytes, size);
    if (size && data)
        memcpy(bytes->data + start, data, size);
    else if (size)
        memset(bytes->data + start, 0, size);
    bytes->size += size;
    return start;
}
static inline void bytes_append32(struct bytes *bytes, uint32_t value)
{
    bytes_append(bytes, &value, sizeof value);
}
void bytes_free(struct bytes *bytes);
/* What is there, as a string, which becomes the caller's: nothing is there any more. */
char *bytes_take_text(struct bytes *bytes);

/* Small pieces of memory that stay where they are, and are given back together. All zero: none. */
struct arena {
    struct arena_block *last;
    size_t left; /* bytes at its end */
};

/* A copy of SIZE bytes at DATA, aligned for anything; of 0 bytes, DATA may be NULL. */
void *arena_keep(struct arena *arena, const void *data, size_t size);
void arena_free(struct arena *arena);

/* A set of small numbers: one bit each, so that a million symbols fit into the L2 cache. */
struct bits {
    uint64_t *words;
    size_t count;
};

void bits_init(struct bits *bits, size_t count);
void bits_free(struct bits *bits);

static inline void bits_set(struct bits *bits, size_t i)
{
    bits->words[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline bool bits_test(const struct bits *bits, size_t i)
{
    return i < bits->count && (bits->words[i / 64] >> (i % 64) & 1);
}

#endif
