/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns of probes as users write them, cut into words: PROVIDER:MODULE:FUNCTION:NAME,
 * PROVIDER:NAME, PROVIDER or NAME, each a glob; several with commas between them. The runtime's own
 * reader (shared/pattern.h) cuts at every colon and comma. Here the function may be a C++ name:
 * `fn::server<int, long>::serve(int):entry`.
 */
#ifndef SDT_BASE_PROBE_WORDS_H
#define SDT_BASE_PROBE_WORDS_H

#include <stdbool.h>

enum { WORD_PROVIDER, WORD_MODULE, WORD_FUNCTION, WORD_NAME, PROBE_WORDS };

struct probe_words {
    char *word[PROBE_WORDS]; /* NULL: not there */
};

/* Where the bracket at OPEN is closed: (, <, {, or the [ of a set; NULL: nowhere (operator<). */
const char *probe_words_closing(const char *open);
/* Cut the first of several, with commas between them that are in no brackets, off *REST; NULL:
 * there is none. */
char *probe_words_next(char **rest);
/*
 * How many parts TEXT, one of several, has: 1, 2, 4, or 3, which no pattern has. One part is in the
 * place of the provider. If the provider is WHOLE, which may be NULL, the name may be missing:
 * `fn::serve`.
 */
int probe_words_split(struct probe_words *words, const char *text, const char *whole);
void probe_words_free(struct probe_words *words);
/* Whether TEXT is a function: a name in which each colon is one of `::`, or WHOLE:MODULE:FUNCTION.
 * If so, MODULE ("": any) and FUNCTION are in *WORDS. */
bool probe_words_function(struct probe_words *words, const char *text, const char *whole);

#endif
