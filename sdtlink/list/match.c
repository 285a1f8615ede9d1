/* SPDX-License-Identifier: BSD-2-Clause */
/* See match.h. */
#include "match.h"

#include "base/diag.h"
#include "base/function_name.h"
#include "base/memory.h"
#include "base/probe_words.h"

#include <sdt/format.h>
#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>

struct list_pattern {
    struct probe_words words;
    bool is_name; /* of the file that is listed: the first part is one */
};

int list_match_add(struct list_match *match, const char *text)
{
    struct list_pattern pattern = {.is_name = false};
    if (text[0] == '\0')
        return diag_error("list: --match: the pattern is empty");
    if (probe_words_split(&pattern.words, text, SDT_FUNCTION_PROVIDER) == 3)
        return diag_error("list: --match=%s: three parts; a pattern has one, two or four", text);
    match->patterns = memory_resize(match->patterns, match->count + 1, sizeof *match->patterns);
    match->patterns[match->count++] = pattern;
    return 0;
}

void list_match_free(struct list_match *match)
{
    for (size_t i = 0; i < match->count; i++)
        probe_words_free(&match->patterns[i].words);
    free(match->patterns);
    *match = (struct list_match){0};
}

/* Whether a pattern without a colon is a name: no site from number FIRST on has such a provider. */
static bool is_name(const struct list_pattern *pattern, const struct list *list, size_t first)
{
    char *const *word = pattern->words.word;
    bool is_word = !word[WORD_MODULE] && !word[WORD_NAME];
    for (size_t i = first; is_word && i < list->count; i++)
        is_word = !pattern_part(word[WORD_PROVIDER], list->sites[i].provider);
    return is_word;
}

static bool is_named(const struct list_match *match, const struct list_site *site)
{
    for (size_t i = 0; i < match->count; i++) {
        char *const *word = match->patterns[i].words.word;
        if (match->patterns[i].is_name) {
            if (pattern_part(word[WORD_PROVIDER], site->name))
                return true;
            continue;
        }
        if (pattern_part(word[WORD_PROVIDER], site->provider) &&
            pattern_part(word[WORD_NAME], site->name) &&
            pattern_part(word[WORD_MODULE], site->module) &&
            function_name_part(word[WORD_FUNCTION], site->function))
            return true;
    }
    return match->count == 0;
}

/* What the only pattern may mean, of the sites from number FIRST on, none of which it names. */
static struct suggestion suggest(const struct list_match *match, const struct list *list,
                                 size_t first)
{
    struct suggestion suggestion = {.distance = 0};
    char *const *word = match->patterns[0].words.word, *function = word[WORD_FUNCTION];
    bool is_function = function && *function;
    if (is_function)
        suggest_begin_word(&suggestion, function);
    for (size_t i = first; is_function && i < list->count; i++) {
        const struct list_site *site = &list->sites[i];
        if (!site->function || !pattern_part(word[WORD_PROVIDER], site->provider) ||
            (i > first && site[-1].function == site->function))
            continue;
        struct function_name name;
        char *before = memory_format("%s:%s:", site->provider, word[WORD_MODULE]);
        char *after = memory_format("%s%s", word[WORD_NAME] ? ":" : "",
                                    word[WORD_NAME] ? word[WORD_NAME] : "");
        function_name_make(&name, slice_of(site->function));
        function_name_offer(&name, &suggestion, before, after);
        function_name_free(&name);
        free(before);
        free(after);
    }
    return suggestion;
}

struct suggestion list_match_keep(const struct list_match *match, struct list *list, size_t first)
{
    struct suggestion suggestion = {.distance = 0};
    size_t kept = first;
    for (size_t i = 0; i < match->count; i++)
        match->patterns[i].is_name = is_name(&match->patterns[i], list, first);
    for (size_t i = first; i < list->count; i++)
        if (is_named(match, &list->sites[i]))
            list->sites[kept++] = list->sites[i];
    if (kept == first && match->count == 1)
        suggestion = suggest(match, list, first);
    list->count = kept;
    return suggestion;
}
