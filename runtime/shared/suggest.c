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

void suggest_begin(struct suggestion *suggestion, const char *pattern, size_t length)
{
    *suggestion = (struct suggestion){.distance = 0};
    if (length >= SUGGEST_MAX)
        return;
    memcpy(suggestion->typed, pattern, length);
    if (strpbrk(suggestion->typed, "*?[\\"))
        return;
    drop_places(suggestion->typed);
    suggestion->distance = (unsigned)strlen(suggestion->typed) / 3 + 1;
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
    offer(suggestion, full, full);
    if (!strchr(suggestion->typed, ':')) {
        offer(suggestion, provider, provider);
        offer(suggestion, name, full);
    }
}

void suggest_offer_word(struct suggestion *suggestion, const char *word)
{
    if (suggestion->distance)
        offer(suggestion, word, word);
}
