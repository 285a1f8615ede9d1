/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "Did you mean …": the probe whose name is most like one that matches nothing, or the word that is
 * most like another one. Pure functions, of the runtime and of the tools.
 */
#ifndef SDT_SUGGEST_H
#define SDT_SUGGEST_H

#include <stddef.h>

enum { SUGGEST_MAX = 160 };

struct suggestion {
    char typed[SUGGEST_MAX];
    char best[SUGGEST_MAX]; /* "": nothing is like it */
    unsigned distance;      /* of `best`; before that, one more than is still alike */
};

/* Begin with one pattern without commas. For a pattern with globs there is never a suggestion. */
void suggest_begin(struct suggestion *suggestion, const char *pattern, size_t length);
void suggest_offer(struct suggestion *suggestion, const char *provider, const char *name);
/* Of words, such as names in expressions, and functions with their colons. */
void suggest_begin_word(struct suggestion *suggestion, const char *word);
void suggest_offer_word(struct suggestion *suggestion, const char *word);
/* WORD is compared, and BEST is what to suggest for it. */
void suggest_offer_as(struct suggestion *suggestion, const char *word, const char *best);

#endif
