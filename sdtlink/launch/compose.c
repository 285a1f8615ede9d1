/* SPDX-License-Identifier: BSD-2-Clause */
/* The real linker's command line. */
#include "compose.h"

#include "libraries.h"

#include <stdlib.h>

static void add_all(struct words *to, const struct words *from)
{
    for (size_t i = 0; i < from->count; i++)
        words_add(to, from->list[i]);
}

void compose_words(const struct line *line, struct words *to, const struct words *at_start,
                   const struct words *runtime, const struct words *at_end)
{
    size_t place = libraries_runtime_place(line),
           first = line->input_count ? line->inputs[0].word : 1;
    char **replacements = memory_zeroed(line->words.count, sizeof *replacements);
    for (size_t i = 0; i < line->input_count; i++)
        replacements[line->inputs[i].word] = line->inputs[i].replacement;
    for (size_t i = 0; i < line->words.count; i++) {
        if (i == first)
            add_all(to, at_start);
        if (i == place)
            add_all(to, runtime);
        words_add(to, replacements[i] ? replacements[i] : line->words.list[i]);
    }
    if (place == line->words.count)
        add_all(to, runtime);
    add_all(to, at_end);
    free(replacements);
}
