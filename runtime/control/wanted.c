/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See wanted.h. A page of words is made when the first is needed. It is never unmapped: children
 * may have it. A number is never reused, so a child notices when its word was given to another
 * request.
 */
#define _GNU_SOURCE
#include "wanted.h"

#include <stddef.h>
#include <sys/mman.h>

enum { WORDS = 4096 / sizeof(uint64_t) };

static _Atomic uint64_t *words; /* only the listener uses them; NULL: none yet */
static uint64_t last;

/* A word that is free, in a page of this process's own. */
static _Atomic uint64_t *find_word(void)
{
    for (unsigned i = 0; words && i < WORDS; i++)
        if (atomic_load(&words[i]) == 0)
            return &words[i];
    void *page = mmap(NULL, WORDS * sizeof *words, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return NULL;
    words = page;
    return words;
}

bool wanted_begin(struct wanted *wanted)
{
    *wanted = (struct wanted){.word = find_word(), .number = ++last};
    if (wanted->word)
        atomic_store(wanted->word, wanted->number);
    return wanted->word;
}

void wanted_end(const struct wanted *wanted)
{
    if (wanted->word && !wanted->is_inherited)
        atomic_store(wanted->word, 0);
}

bool wanted_is_over(const struct wanted *wanted)
{
    return wanted->word && wanted->is_inherited && atomic_load(wanted->word) != wanted->number;
}

void wanted_after_fork_child(void)
{
    words = NULL;
}
