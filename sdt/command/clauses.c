/* SPDX-License-Identifier: BSD-2-Clause */
/* See clauses.h. */
#include "clauses.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* TEXT without blanks around it. */
static char *trimmed(const char *text, size_t length)
{
    while (length && strchr(" \t\n", *text)) {
        text++;
        length--;
    }
    while (length && strchr(" \t\n", text[length - 1]))
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
    if (strstr(pattern, " by ")) {
        free(pattern);
        return "'by' is a word of its own: PATTERN by EXPRESSION, not 'PATTERN by EXPRESSION'";
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

static const char *take_keys(struct clauses *clauses, char **words)
{
    char *all = NULL;
    for (; *words; words++)
        join(&all, " ", *words);
    if (!all || !*all) {
        free(all);
        return "'by' needs an expression";
    }
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

const char *clauses_parse(struct clauses *clauses, struct clauses_form form, char **words)
{
    unsigned n = 0;
    const char *problem = NULL;
    *clauses = (struct clauses){0};
    for (; *words && strcmp(*words, "by") != 0 && !problem; words++) {
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
    return !problem && *words ? take_keys(clauses, words + 1) : problem;
}

void clauses_free(struct clauses *clauses)
{
    for (unsigned i = 0; i < CLAUSES_PATTERNS; i++) {
        free(clauses->pattern[i]);
        free(clauses->predicate[i]);
        free(clauses->by[i]);
    }
    free(clauses->value);
    *clauses = (struct clauses){0};
}
