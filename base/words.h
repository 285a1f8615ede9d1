/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lists of words, and their spelling in one text: response files (`ld @file`).
 *
 * gcc, GNU ld and gold read them by libiberty's rules, lld and mold by rules that agree with these:
 * words are separated by white space; ' and " quote; a backslash makes the next character literal,
 * also inside quotes.
 */
#ifndef SDT_BASE_WORDS_H
#define SDT_BASE_WORDS_H

#include "memory.h"

/* A list that grows; after words_add() list[count] is NULL, so that it is an argv. */
struct words {
    char **list;
    size_t count, capacity;
};

/* WORD is not copied. */
void words_add(struct words *words, char *word);
/*
 * The words of a command live as long as the process, whatever refers to them: an allocated one is
 * given to words_keep(), and is never freed. Returns WORD.
 */
char *words_keep(char *word);
void words_free(struct words *words);
/* Take TEXT apart and add its words. */
void words_split(struct words *words, const char *text);
/* Add ARGV, each @file replaced by the words in it, as far as it can be read. */
void words_expand(struct words *words, char **argv);
/* Append WORD to TEXT, quoted as a response file needs it, and a newline. */
void words_quote(struct bytes *text, const char *word);

#endif
