/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes of debug information that are still to be read: numbers, LEB128 and strings.
 *
 * Nothing is trusted. Reading beyond the end marks the cursor as damaged and leaves nothing to be
 * read, so every loop over the bytes ends. Inline: LLVM's own information has some 10^8 of these.
 */
#ifndef SDTLINK_DWARF_CURSOR_H
#define SDTLINK_DWARF_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
    const uint8_t *at, *end;
    bool is_big; /* the most significant byte is the first one */
    bool is_damaged;
};

/* From AT on, of SIZE little-endian bytes at DATA. */
static inline struct cursor cursor_at(const uint8_t *data, uint64_t size, uint64_t at)
{
    return at < size ? (struct cursor){.at = data + at, .end = data + size}
                     : (struct cursor){.at = data + size, .end = data + size, .is_damaged = true};
}

/* A number of SIZE bytes; more than 8 are none. */
static inline uint64_t cursor_take(struct cursor *c, unsigned size)
{
    uint64_t number = 0;
    if ((size_t)(c->end - c->at) < size || size > sizeof number) {
        c->is_damaged = true;
        c->at = c->end;
        return 0;
    }
    if (c->is_big)
        for (unsigned i = 0; i < size; i++)
            number = number << 8 | c->at[i];
    else
        memcpy(&number, c->at, size);
    c->at += size;
    return number;
}

static inline void cursor_skip(struct cursor *c, uint64_t size)
{
    c->is_damaged |= size > (uint64_t)(c->end - c->at);
    c->at = c->is_damaged ? c->end : c->at + size;
}

/* LEB128; what does not fit is cut off. */
static inline uint64_t cursor_leb(struct cursor *c, bool is_signed)
{
    uint64_t number = 0;
    unsigned shift = 0;
    uint8_t byte = 0x80;
    while (byte & 0x80 && !c->is_damaged) {
        byte = (uint8_t)cursor_take(c, 1);
        if (shift < 64)
            number |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    }
    if (is_signed && byte & 0x40 && shift < 64)
        number |= UINT64_MAX << shift;
    return number;
}

/* A string with its NUL; NULL: it does not end. */
static inline const char *cursor_string(struct cursor *c)
{
    const uint8_t *end = c->at < c->end ? memchr(c->at, 0, (size_t)(c->end - c->at)) : NULL;
    const char *string = (const char *)c->at;
    cursor_skip(c, end ? (uint64_t)(end + 1 - c->at) : UINT64_MAX);
    return end ? string : NULL;
}

/* The one that is AT, of SIZE bytes at DATA; NULL: there is none. */
static inline const char *cursor_string_at(const uint8_t *data, uint64_t size, uint64_t at)
{
    struct cursor c = cursor_at(data, size, at);
    return c.is_damaged ? NULL : cursor_string(&c);
}

#endif
