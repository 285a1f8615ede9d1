/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes of provider `tokens`:
 *
 *   word(text, length)     a word that counts
 *   stop(text)             one that everybody uses, from stopwords.txt
 */
#include "tokens.h"

#include <ctype.h>
#include <sdt/probe.h>
#include <string.h>

static int is_stop_word(const char *word)
{
    static const char *const list[] = {
#include "stopwords.h" /* made by the build, from stopwords.txt */
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!strcmp(list[i], word))
            return 1;
    return 0;
}

static int read_word(FILE *text, char word[TOKEN_MAX])
{
    int length = 0, c;
    while ((c = getc(text)) != EOF && !isalpha(c))
        ;
    for (; c != EOF && isalpha(c); c = getc(text))
        if (length < TOKEN_MAX - 1)
            word[length++] = (char)tolower(c);
    word[length] = 0;
    return length;
}

const char *tokens_next(FILE *text, char word[TOKEN_MAX])
{
    int length;
    while ((length = read_word(text, word)) > 0) {
        if (!is_stop_word(word)) {
            SDT_PROBE(tokens, word, word, length);
            return word;
        }
        SDT_PROBE(tokens, stop, word);
    }
    return NULL;
}
