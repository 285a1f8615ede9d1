/* SPDX-License-Identifier: BSD-2-Clause */
/* Preloaded: how many bytes a program asks malloc() and its like for, at its end, in the file that
 * SDT_HEAP names. Growing a table by one element at a time asks for the whole table each time. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_ullong asked;

void *malloc(size_t size)
{
    static void *(*next)(size_t);
    if (!next)
        next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    asked += size;
    return next(size);
}

void *realloc(void *block, size_t size)
{
    static void *(*next)(void *, size_t);
    if (!next)
        next = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
    asked += size;
    return next(block, size);
}

void *reallocarray(void *block, size_t count, size_t size)
{
    return realloc(block, count * size); /* of a program that asks for no nonsense */
}

__attribute__((destructor)) static void tell(void)
{
    FILE *file = fopen(getenv("SDT_HEAP"), "w");
    if (!file)
        abort();
    fprintf(file, "%llu\n", asked);
    fclose(file);
}
