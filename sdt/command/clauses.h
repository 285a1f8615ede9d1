/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests about probes, as words of a command line:
 *
 *     PATTERN [/PREDICATE/] … [EXPRESSION] [match EXPRESSION] [by EXPRESSION[, EXPRESSION]]
 *
 * A pattern and its predicate may be one word or two: 'web:request /bytes > 4096/'. Expressions may
 * be several words. Where two patterns are needed, one word without a colon other than those of
 * `::` is a function, and so is fn:MODULE:FUNCTION: from its entry to its return, of one call.
 * Pure.
 */
#ifndef SDT_CLAUSES_H
#define SDT_CLAUSES_H

#include <stdbool.h>
#include <stddef.h>

enum { CLAUSES_PATTERNS = 2 };

struct clauses {
    char *pattern[CLAUSES_PATTERNS];   /* as many as are wanted */
    char *predicate[CLAUSES_PATTERNS]; /* NULL: none */
    char *function;                    /* that is meant by both; NULL: they are two patterns */
    char *value;                       /* NULL: none */
    char *match; /* what a begin and its end have in common; NULL: the thread */
    char *by[2]; /* NULL: none */
};

/* How many patterns there are, whether an expression follows, and whether `match` may. */
struct clauses_form {
    unsigned patterns; /* 0: any number, which become one, with commas */
    bool has_value, has_match;
};

/* BEGIN [/P/] END [/P/] [match EXPRESSION], or FUNCTION: a pair of probes, in whatever command. */
static const struct clauses_form clauses_pair = {2, false, true};

/* NULL if WORDS are that; else what is wrong with them, a sentence. */
const char *clauses_parse(struct clauses *clauses, struct clauses_form form, char **words);
/* The same of the words in TEXT. */
const char *clauses_parse_text(struct clauses *clauses, struct clauses_form form, const char *text);
void clauses_free(struct clauses *clauses);

#endif
