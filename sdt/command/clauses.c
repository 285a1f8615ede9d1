/* SPDX-License-Identifier: BSD-2-Clause */
/* See clauses.h. */
#include "clauses.h"

#include "base/memory.h"
#include "base/probe_words.h"

#include <ctype.h>
#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\n";

/* TEXT without blanks around it. */
static char *trimmed(const char *text, size_t length)
{
    while (length && strchr(blanks, *text)) {
        text++;
        length--;
    }
    while (length && strchr(blanks, text[length - 1]))
        length--;
    return memory_format("%.*s", (int)length, text);
}

/* *TEXT and MORE, with BETWEEN. *TEXT may be NULL. */
static void join(char **text, const char *between, const char *more)
{
    char *joined =
        *text ? memory_format("%s%s%s", *text, between, more) : trimmed(more, strlen(more));
    free(*text);
    *text = joined;
}

/* Take "PATTERN /PREDICATE/", "PATTERN" or "/PREDICATE/". */
static const char *take_word(struct clauses *clauses, unsigned *n, struct clauses_form form,
                             const char *word)
{
    const char *slash = strchr(word, '/'), *last = strrchr(word, '/');
    size_t length = slash ? (size_t)(slash - word) : strlen(word);
    char *pattern = trimmed(word, length);
    bool has_by = strstr(pattern, " by "), has_match = strstr(pattern, " match ");
    if (has_by || (has_match && form.has_match)) {
        free(pattern);
        return has_by ? "'by' is a word of its own: PATTERN by EXPRESSION, not 'PATTERN by "
                        "EXPRESSION'"
                      : "'match' is a word of its own: END match EXPRESSION, not 'END match "
                        "EXPRESSION'";
    }
    if (*pattern) {
        unsigned at = form.patterns ? *n : 0;
        if (form.patterns == 0)
            join(&clauses->pattern[0], ",", pattern);
        else
            clauses->pattern[at] = memory_format("%s", pattern);
        ++*n;
    }
    free(pattern);
    if (!slash)
        return NULL;
    if (*n == 0 || slash == last || last[1 + strspn(last + 1, " \t\n")])
        return "a condition is written after a pattern, between slashes: 'web:request /n > 9/'";
    unsigned at = form.patterns ? *n - 1 : 0;
    if (clauses->predicate[at])
        return "two conditions: write them as one, with && or ||";
    clauses->predicate[at] = trimmed(slash + 1, (size_t)(last - slash - 1));
    return NULL;
}

/* Where TEXT has a comma that is neither in parentheses nor in quotes; its end if nowhere. */
static size_t find_comma(const char *text)
{
    int depth = 0;
    bool is_quoted = false;
    size_t i = 0;
    for (; text[i] && (text[i] != ',' || depth > 0 || is_quoted); i++) {
        if (text[i] == '"')
            is_quoted = !is_quoted;
        else if (is_quoted && text[i] == '\\' && text[i + 1])
            i++;
        else if (!is_quoted)
            depth += (text[i] == '(') - (text[i] == ')');
    }
    return i;
}

static bool is_keyword(struct clauses_form form, const char *word)
{
    return strcmp(word, "by") == 0 || (form.has_match && strcmp(word, "match") == 0);
}

/* *WORDS up to a keyword or the end, as one; NULL: there are none. */
static char *join_words(struct clauses_form form, char ***words)
{
    char *all = NULL;
    for (; **words && !is_keyword(form, **words); ++*words)
        join(&all, " ", **words);
    if (all && !*all) {
        free(all);
        all = NULL;
    }
    return all;
}

/* The keys in ALL, which is freed. */
static const char *take_keys(struct clauses *clauses, char *all)
{
    if (!all)
        return "'by' needs an expression";
    const char *text = all, *problem = NULL;
    for (unsigned i = 0; text && !problem; i++) {
        size_t length = find_comma(text);
        if (i == 2) {
            problem = "at most two keys";
            break;
        }
        clauses->by[i] = trimmed(text, length);
        problem = *clauses->by[i] ? NULL : "'by' needs an expression on each side of the comma";
        text = text[length] ? text + length + 1 : NULL;
    }
    free(all);
    return problem;
}

/* `match EXPRESSION` and `by EXPRESSION[, EXPRESSION]`, in any order. */
static const char *take_ends(struct clauses *clauses, struct clauses_form form, char **words)
{
    const char *problem = NULL;
    while (*words && !problem) {
        bool is_match = strcmp(*words++, "match") == 0;
        if (is_match ? clauses->match != NULL : clauses->by[0] != NULL)
            return is_match ? "'match' is given twice" : "'by' is given twice";
        char *all = join_words(form, &words);
        if (!is_match)
            problem = take_keys(clauses, all);
        else if (!(clauses->match = all))
            problem = "'match' needs an expression";
    }
    return problem;
}

/* One word that is a function, where a pair is needed: its calls. Its two hits are paired by what
 * they have in common, unless the words say something else. */
static bool take_function(struct clauses *clauses, struct clauses_form form, char **words,
                          const char **problem)
{
    struct probe_words parts;
    if (form.patterns != 2 || !words[0] || is_keyword(form, words[0]) ||
        (words[1] && !is_keyword(form, words[1])) ||
        !probe_words_function(&parts, words[0], SDT_FUNCTION_PROVIDER))
        return false;
    for (unsigned i = 0; i < 2; i++)
        clauses->pattern[i] =
            memory_format(SDT_FUNCTION_PROVIDER ":%s:%s:%s", parts.word[WORD_MODULE],
                          parts.word[WORD_FUNCTION], i ? SDT_FUNCTION_RETURN : SDT_FUNCTION_ENTRY);
    clauses->function = memory_format("%s", parts.word[WORD_FUNCTION]);
    probe_words_free(&parts);
    *problem = take_ends(clauses, form, words + 1);
    if (!clauses->match)
        clauses->match = memory_format("%s", SDT_FUNCTION_FRAME);
    return true;
}

const char *clauses_parse(struct clauses *clauses, struct clauses_form form, char **words)
{
    unsigned n = 0;
    const char *problem = NULL;
    *clauses = (struct clauses){0};
    if (take_function(clauses, form, words, &problem))
        return problem;
    for (; *words && !is_keyword(form, *words) && !problem; words++) {
        bool is_predicate = **words == '/' && n > 0 && !clauses->value;
        if (form.patterns == 0 || n < form.patterns || is_predicate)
            problem = take_word(clauses, &n, form, *words);
        else if (form.has_value)
            join(&clauses->value, " ", *words);
        else
            problem = "more words than are understood; an expression with blanks needs quotes";
    }
    if (!problem && n < (form.patterns ? form.patterns : 1))
        problem = form.patterns == 2 ? "two patterns are needed: where it begins, where it ends"
                                     : "no pattern";
    if (!problem && form.has_value && !clauses->value)
        problem = "no expression: of what is the histogram?";
    return problem ? problem : take_ends(clauses, form, words);
}

/* ---- Words in one text. ---- */

enum { MAX_WORDS = 64 };

/* How long the word at TEXT is, whose blanks in brackets that follow a letter belong to it, as
 * those of f(int, char) do. */
static size_t name_length(const char *text)
{
    const char *at = text;
    while (*at && !strchr(blanks, *at)) {
        bool is_name = at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        const char *end = is_name && strchr("(<", *at) ? probe_words_closing(at) : NULL;
        at = end ? end + 1 : at + 1;
    }
    return (size_t)(at - text);
}

/* How long the word at TEXT is. One that begins with a slash goes to the slash that a blank or the
 * end follows, and no blank precedes: that would be a division. */
static size_t word_length(const char *text)
{
    if (*text != '/')
        return name_length(text);
    size_t length = strcspn(text, blanks);
    for (size_t i = 1; text[i]; i++)
        if (text[i] == '/' && !strchr(blanks, text[i - 1]) &&
            (!text[i + 1] || strchr(blanks, text[i + 1])))
            return i + 1;
    return length;
}

const char *clauses_parse_text(struct clauses *clauses, struct clauses_form form, const char *text)
{
    char *copy = memory_format("%s", text), *words[MAX_WORDS + 1], *at = copy;
    size_t n = 0;
    for (at += strspn(at, blanks); *at && n < MAX_WORDS; at += strspn(at, blanks)) {
        size_t length = word_length(at);
        words[n++] = at;
        at += length;
        if (*at)
            *at++ = '\0';
    }
    words[n] = NULL;
    const char *problem = *at ? "too many words" : NULL;
    *clauses = (struct clauses){0};
    if (!problem)
        problem = clauses_parse(clauses, form, words);
    free(copy);
    return problem;
}

void clauses_free(struct clauses *clauses)
{
    for (unsigned i = 0; i < CLAUSES_PATTERNS; i++) {
        free(clauses->pattern[i]);
        free(clauses->predicate[i]);
        free(clauses->by[i]);
    }
    free(clauses->function);
    free(clauses->value);
    free(clauses->match);
    *clauses = (struct clauses){0};
}
