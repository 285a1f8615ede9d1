/* SPDX-License-Identifier: BSD-2-Clause */
/* See probe_words.h. */
#include "probe_words.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

const char *probe_words_closing(const char *open)
{
    char closes = *open == '(' ? ')' : *open == '<' ? '>' : *open == '[' ? ']' : '}';
    unsigned depth = 0;
    for (const char *at = open; *at; at++) {
        depth += *at == *open;
        depth -= *at == closes;
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* The character after the one at AT, or after the brackets that open there. */
static const char *step(const char *at)
{
    const char *end = strchr("(<{[", *at) ? probe_words_closing(at) : NULL;
    return end ? end + 1 : at + 1;
}

char *probe_words_next(char **rest)
{
    char *first = *rest;
    if (!first)
        return NULL;
    const char *at = first;
    while (*at && *at != ',')
        at = step(at);
    char *end = first + (at - first);
    *rest = *end ? end + 1 : NULL;
    *end = '\0';
    return first;
}

/* The last colon of TEXT that is in no brackets and no `::`; NULL: there is none. */
static const char *last_colon(const char *text)
{
    const char *last = NULL;
    for (const char *at = text; *at;) {
        bool is_double = at[0] == ':' && at[1] == ':';
        if (*at == ':' && !is_double)
            last = at;
        at = is_double ? at + 2 : step(at);
    }
    return last;
}

static char *cut(const char *from, const char *to)
{
    return memory_format("%.*s", (int)(to - from), from);
}

int probe_words_split(struct probe_words *words, const char *text, const char *whole)
{
    const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    *words = (struct probe_words){{NULL}};
    if (!first) {
        words->word[WORD_PROVIDER] = memory_format("%s", text);
        return 1;
    }
    words->word[WORD_PROVIDER] = cut(text, first);
    if (!second) {
        words->word[WORD_NAME] = memory_format("%s", first + 1);
        return 2;
    }
    const char *function = second + 1, *last = last_colon(function);
    bool is_whole = !last && whole && !strcmp(words->word[WORD_PROVIDER], whole);
    if (!last && !is_whole) {
        probe_words_free(words);
        return 3;
    }
    words->word[WORD_MODULE] = cut(first + 1, second);
    words->word[WORD_FUNCTION] = last ? cut(function, last) : memory_format("%s", function);
    words->word[WORD_NAME] = last ? memory_format("%s", last + 1) : NULL;
    return 4;
}

/* Whether TEXT is not several. */
static bool is_one(const char *text)
{
    while (*text && *text != ',')
        text = step(text);
    return !*text;
}

bool probe_words_function(struct probe_words *words, const char *text, const char *whole)
{
    if (!*text || strchr(text, '/') || !is_one(text))
        return false;
    if (probe_words_split(words, text, whole) == 4 && !words->word[WORD_NAME])
        return true;
    probe_words_free(words);
    if (last_colon(text))
        return false;
    words->word[WORD_MODULE] = memory_format("%s", "");
    words->word[WORD_FUNCTION] = memory_format("%s", text);
    return true;
}

void probe_words_free(struct probe_words *words)
{
    for (unsigned i = 0; i < PROBE_WORDS; i++)
        free(words->word[i]);
    *words = (struct probe_words){{NULL}};
}
