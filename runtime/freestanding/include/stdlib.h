/* SPDX-License-Identifier: BSD-2-Clause */
/* What this runtime uses of <stdlib.h>: ../library.c. Memory is the kernel's. */
#ifndef SDT_FREESTANDING_STDLIB_H
#define SDT_FREESTANDING_STDLIB_H

#include <stddef.h>

#define malloc sdt_malloc
#define calloc sdt_calloc
#define realloc sdt_realloc
#define aligned_alloc sdt_aligned_alloc
#define free sdt_free
#define qsort sdt_qsort
#define bsearch sdt_bsearch

void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *memory, size_t size); /* always NULL */
void *aligned_alloc(size_t alignment, size_t size);
void free(void *memory);
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t n, size_t size,
              int (*compare)(const void *, const void *));

#endif
