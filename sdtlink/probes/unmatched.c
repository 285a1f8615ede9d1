/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See unmatched.h. Objects are processed by worker processes (launch/work.c), so what
 * they see is noted in memory that they share. A worker may end at any time, so none waits for
 * another: what is suggested is left out where another one is just writing it.
 */
#include "unmatched.h"

#include "base/diag.h"
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

struct element {
    atomic_bool is_matched, is_taken;
    struct suggestion suggestion;
};

struct unmatched {
    size_t size;
    atomic_bool has_functions;
    struct element elements[];
};

struct unmatched *unmatched_begin(const char *const *texts, size_t count)
{
    size_t size = sizeof(struct unmatched) + count * sizeof(struct element);
    struct unmatched *unmatched =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (unmatched == MAP_FAILED)
        return NULL;
    unmatched->size = size;
    for (size_t i = 0; i < count; i++)
        if (texts[i])
            suggest_begin_word(&unmatched->elements[i].suggestion, texts[i]);
    return unmatched;
}

void unmatched_note(struct unmatched *unmatched, size_t i, const struct function_name *name,
                    bool is_matched)
{
    struct element *element = &unmatched->elements[i];
    atomic_store(&unmatched->has_functions, true);
    if (is_matched)
        atomic_store(&element->is_matched, true);
    if (atomic_load(&element->is_matched) || !element->suggestion.distance || !name->spelling[0] ||
        atomic_exchange(&element->is_taken, true))
        return;
    function_name_offer(name, &element->suggestion, "", "");
    atomic_store(&element->is_taken, false);
}

static void warn(const struct element *element, const char *text, const char *output)
{
    char *problem = memory_format("--functions=%s chooses no function", text);
    char *advice = *element->suggestion.best
                       ? memory_format("did you mean %s?", element->suggestion.best)
                       : memory_format("what the compiler has inlined is no function any more: see "
                                       "'sdtlink list' of a build with --functions");
    diag_warn(&(struct diag_place){.file = output}, problem, advice);
    free(problem);
    free(advice);
}

void unmatched_warn(const struct unmatched *unmatched, const char *const *texts, size_t count,
                    const char *output)
{
    if (!atomic_load(&unmatched->has_functions))
        return;
    for (size_t i = 0; i < count; i++)
        if (texts[i] && !atomic_load(&unmatched->elements[i].is_matched))
            warn(&unmatched->elements[i], texts[i], output);
}

void unmatched_end(struct unmatched *unmatched)
{
    if (unmatched)
        munmap(unmatched, unmatched->size);
}
