/* SPDX-License-Identifier: BSD-2-Clause */
/* See pair_names.h. */
#include "pair_names.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *begin, *end;
} words[] = {{"begin", "end"}, {"start", "done"}, {"start", "end"}, {"entry", "return"}};
enum { WORDS = sizeof words / sizeof words[0] };

/* How long NAME is without WORD and what separates it, if it ends with that; -1 if not. */
static int stem_length(const char *name, const char *word)
{
    size_t length = strlen(name), rest = strlen(word);
    if (length < rest || strcmp(name + length - rest, word) != 0)
        return -1;
    length -= rest;
    size_t stem = length;
    while (stem > 0 && strchr("_-.", name[stem - 1]))
        stem--;
    return length > 0 && (stem == length || stem == 0) ? -1 : (int)stem;
}

char *pair_names_end_of(const char *name, size_t n)
{
    for (size_t word = 0; word < WORDS; word++)
        if (stem_length(name, words[word].begin) >= 0 && n-- == 0)
            return memory_format("%.*s%s", (int)(strlen(name) - strlen(words[word].begin)), name,
                                 words[word].end);
    return NULL;
}

bool pair_names_match(const char *begin, const char *end, size_t *stem)
{
    char *wanted;
    bool is_same = false;
    for (size_t n = 0; !is_same && (wanted = pair_names_end_of(begin, n)); n++) {
        is_same = strcmp(wanted, end) == 0;
        free(wanted);
    }
    for (size_t word = 0; is_same && word < WORDS; word++)
        if (stem_length(begin, words[word].begin) >= 0)
            *stem = (size_t)stem_length(begin, words[word].begin);
    return is_same;
}
