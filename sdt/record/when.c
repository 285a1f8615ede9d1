/* SPDX-License-Identifier: BSD-2-Clause */
/* See when.h: the words. when_ask.c asks a process. */
#include "when.h"

#include "base/memory.h"

#include <shared/words.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 64 };

static const char blanks[] = " \t\n";

/* ---- Times. ---- */

/* TEXT, as `10ms` or `1.5 s`, in ns. */
static bool read_time(const char *text, uint64_t *ns)
{
    text += strspn(text, blanks);
    size_t length = word_time(text, ns);
    return length && *ns && !text[length + strspn(text + length, blanks)];
}

/* ---- Words. ---- */

/* How long the word at TEXT is. One that begins with a slash goes to the slash that a blank or the
 * end follows, and no blank precedes: that would be a division. */
static size_t word_length(const char *text)
{
    size_t length = strcspn(text, blanks);
    if (*text != '/')
        return length;
    for (size_t i = 1; text[i]; i++)
        if (text[i] == '/' && !strchr(blanks, text[i - 1]) &&
            (!text[i + 1] || strchr(blanks, text[i + 1])))
            return i + 1;
    return length;
}

/* Split TEXT, which is changed; how many words there are, and a NULL after them. */
static size_t split(char *text, char *words[MAX_WORDS + 1])
{
    size_t n = 0;
    for (text += strspn(text, blanks); *text && n < MAX_WORDS; text += strspn(text, blanks)) {
        size_t length = word_length(text);
        words[n++] = text;
        text += length;
        if (*text)
            *text++ = '\0';
    }
    words[n] = NULL;
    return n;
}

static char *join_words(char **words)
{
    char *all = memory_format("%s", words[0]);
    for (words++; *words; words++) {
        char *more = memory_format("%s %s", all, *words);
        free(all);
        all = more;
    }
    return all;
}

/* `match EXPRESSION` at the end of WORDS. */
static const char *take_match(struct when *when, char **words)
{
    while (*words && strcmp(*words, "match") != 0)
        words++;
    if (!*words)
        return NULL;
    if (!words[1])
        return "'match' needs an expression";
    when->match = join_words(words + 1);
    *words = NULL;
    return NULL;
}

/* BEGIN END > TIME, in TEXT, which is changed. */
static const char *parse_latency(struct when *when, char *text)
{
    static const char form[] = "a latency is written 'lat BEGIN END > 10ms'";
    const struct clauses_form two = {2, false};
    char *words[MAX_WORDS + 1], *more = strrchr(text, '>');
    if (!more || !read_time(more + 1, &when->limit))
        return form;
    *more = '\0';
    split(text, words);
    const char *problem = take_match(when, words);
    if (!problem)
        problem = clauses_parse(&when->clauses, two, words);
    return problem || !when->clauses.by[0] ? problem : form;
}

const char *when_parse(struct when *when, const char *text)
{
    const struct clauses_form one = {1, false};
    char *copy = memory_format("%s", text + strspn(text, blanks)), *words[] = {copy, NULL};
    const char *problem;
    *when = (struct when){.is_latency = !strncmp(copy, "lat", 3) && copy[3] != '\0' &&
                                        strchr(blanks, copy[3]) != NULL};
    problem = when->is_latency ? parse_latency(when, copy + 4)
                               : clauses_parse(&when->clauses, one, words);
    free(copy);
    return problem;
}

void when_free(struct when *when)
{
    clauses_free(&when->clauses);
    free(when->match);
    *when = (struct when){0};
}
