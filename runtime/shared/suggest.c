/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See suggest.h. Two names are similar if few insertions, deletions and replacements of characters
 * make them equal (Levenshtein distance): at most one for every three characters typed. A pattern
 * without a colon stands for a provider. If it resembles a probe's name, the suggestion adds the
 * provider.
 */
#include "suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* How many edits turn A into B. Both are shorter than SUGGEST_MAX. */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[SUGGEST_MAX + 1];
    size_t n = strlen(b);
    for (size_t j = 0; j <= n; j++)
        row[j] = (unsigned)j;
    for (size_t i = 0; a[i]; i++) {
        unsigned diagonal = row[0]++;
        for (size_t j = 1; j <= n; j++) {
            unsigned replaced = diagonal + (a[i] != b[j - 1]);
            unsigned other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < other ? replaced : other;
        }
    }
    return row[n];
}

/* Cut `provider:module:function:name` to `provider:name`. */
static void drop_places(char *pattern)
{
    char *first = strchr(pattern, ':'), *last = strrchr(pattern, ':');
    if (first != last)
        memmove(first, last, strlen(last) + 1);
    if (first && first[1] == '\0')
        *first = '\0';
}

/* TEXT as people see it, where `__` is `-`: they type both. */
static void use_dashes(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++) {
        bool is_dash = from[0] == '_' && from[1] == '_';
        *to = is_dash ? '-' : *from;
        from += is_dash ? 2 : 1;
    }
    *to = '\0';
}

/* False: there will be no suggestion. */
static bool take(struct suggestion *suggestion, const char *text, size_t length)
{
    *suggestion = (struct suggestion){.distance = 0};
    if (length >= SUGGEST_MAX)
        return false;
    memcpy(suggestion->typed, text, length);
    return !strpbrk(suggestion->typed, "*?[\\");
}

static void begin(struct suggestion *suggestion)
{
    use_dashes(suggestion->typed);
    suggestion->distance = (unsigned)strlen(suggestion->typed) / 3 + 1;
}

void suggest_begin(struct suggestion *suggestion, const char *pattern, size_t length)
{
    if (!take(suggestion, pattern, length))
        return;
    drop_places(suggestion->typed);
    begin(suggestion);
}

void suggest_begin_word(struct suggestion *suggestion, const char *word)
{
    if (take(suggestion, word, strlen(word)))
        begin(suggestion);
}

/* Suggest BEST if CANDIDATE is closer to what was typed than all candidates before. */
static void offer(struct suggestion *suggestion, const char *candidate, const char *best)
{
    size_t size = strlen(best) + 1;
    if (strlen(candidate) >= SUGGEST_MAX || size > SUGGEST_MAX)
        return;
    unsigned edits = distance(suggestion->typed, candidate);
    if (edits >= suggestion->distance)
        return;
    suggestion->distance = edits;
    memcpy(suggestion->best, best, size);
}

void suggest_offer(struct suggestion *suggestion, const char *provider, const char *name)
{
    char full[SUGGEST_MAX];
    int length = snprintf(full, sizeof full, "%s:%s", provider, name);
    if (suggestion->distance == 0 || length < 0 || (size_t)length >= sizeof full)
        return;
    use_dashes(full);
    offer(suggestion, full, full);
    if (strchr(suggestion->typed, ':'))
        return;
    char part[SUGGEST_MAX];
    size_t of_provider = strcspn(full, ":");
    memcpy(part, full, of_provider);
    part[of_provider] = '\0';
    offer(suggestion, part, part);
    offer(suggestion, full + of_provider + 1, full);
}

void suggest_offer_as(struct suggestion *suggestion, const char *word, const char *best)
{
    char compared[SUGGEST_MAX];
    if (suggestion->distance == 0 || strlen(word) >= sizeof compared)
        return;
    memcpy(compared, word, strlen(word) + 1);
    use_dashes(compared);
    offer(suggestion, compared, best);
}

void suggest_offer_word(struct suggestion *suggestion, const char *word)
{
    suggest_offer_as(suggestion, word, word);
}
