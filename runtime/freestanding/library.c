/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of include/string.h and include/stdlib.h: plain ones, for none runs in a hit but on
 * short text. */
#include <sdt/kernel.h>
#include <stdlib.h>
#include <string.h>

/* ---- <string.h> ---- */

void *memchr(const void *memory, int byte, size_t n)
{
    const unsigned char *at = memory;
    for (size_t i = 0; i < n; i++)
        if (at[i] == (unsigned char)byte)
            return (void *)&at[i];
    return NULL;
}

size_t strlen(const char *text)
{
    const char *end = text;
    while (*end)
        end++;
    return (size_t)(end - text);
}

char *strchr(const char *text, int byte)
{
    while (*text && *text != (char)byte)
        text++;
    return *text == (char)byte ? (char *)text : NULL;
}

int strncmp(const char *left, const char *right, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (left[i] != right[i] || !left[i])
            return (unsigned char)left[i] - (unsigned char)right[i];
    return 0;
}

int strcmp(const char *left, const char *right)
{
    return strncmp(left, right, (size_t)-1);
}

size_t strcspn(const char *text, const char *reject)
{
    size_t n = 0;
    while (text[n] && !strchr(reject, text[n]))
        n++;
    return n;
}

char *strstr(const char *text, const char *wanted)
{
    size_t length = strlen(wanted);
    while (*text && strncmp(text, wanted, length) != 0)
        text++;
    return *text || !length ? (char *)text : NULL;
}

char *strndup(const char *text, size_t n)
{
    const char *end = memchr(text, '\0', n);
    size_t length = end ? (size_t)(end - text) : n;
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* ---- <stdlib.h>: memory ---- */

enum { ANY = 16 };

void *aligned_alloc(size_t alignment, size_t size)
{
    return sdt_kernel_allocate(size ? size : 1, alignment);
}

void *malloc(size_t size)
{
    return aligned_alloc(ANY, size);
}

void *calloc(size_t n, size_t size)
{
    size_t bytes;
    void *memory = __builtin_mul_overflow(n, size, &bytes) ? NULL : malloc(bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

void *realloc(void *memory, size_t size)
{
    (void)memory;
    (void)size;
    return NULL;
}

void free(void *memory)
{
    sdt_kernel_free(memory);
}

/* ---- <stdlib.h>: order ---- */

static void swap(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

struct array {
    unsigned char *base;
    size_t size;
    int (*compare)(const void *, const void *);
};

/* Let element I sink in the heap of N elements. */
static void sink(const struct array *array, size_t i, size_t n)
{
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        unsigned char *left = array->base + child * array->size;
        if (child + 1 < n && array->compare(left, left + array->size) < 0)
            child++;
        unsigned char *parent = array->base + i * array->size;
        unsigned char *larger = array->base + child * array->size;
        if (array->compare(parent, larger) >= 0)
            return;
        swap(parent, larger, array->size);
    }
}

/* Heapsort: a kernel's stack is small, and its time bounded. */
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    const struct array array = {base, size, compare};
    for (size_t i = n / 2; i-- > 0;)
        sink(&array, i, n);
    for (size_t left = n; left-- > 1;) {
        swap(array.base, array.base + left * size, size);
        sink(&array, 0, left);
    }
}

void *bsearch(const void *key, const void *base, size_t n, size_t size,
              int (*compare)(const void *, const void *))
{
    const unsigned char *at = base;
    while (n) {
        const unsigned char *middle = at + n / 2 * size;
        int order = compare(key, middle);
        if (order == 0)
            return (void *)middle;
        if (order > 0) {
            at = middle + size;
            n--;
        }
        n /= 2;
    }
    return NULL;
}
