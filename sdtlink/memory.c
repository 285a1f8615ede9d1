/* SPDX-License-Identifier: BSD-2-Clause */
#include "memory.h"

#include "diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void *checked(void *block)
{
    if (!block) {
        diag_error("out of memory");
        exit(EXIT_FAILURE);
    }
    return block;
}

void *memory_zeroed(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size));
}

void *memory_resize(void *block, size_t count, size_t size)
{
    return checked(reallocarray(block, count ? count : 1, size));
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

void bytes_grow(struct bytes *bytes, size_t size)
{
    bytes->capacity = bytes->capacity * 2 + size + 64;
    bytes->data = memory_resize(bytes->data, bytes->capacity, 1);
}

void bytes_free(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){0};
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
