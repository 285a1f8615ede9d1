/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CALC_H
#define CALC_H

/* A token is a number, one of the characters + - * / ^ ( ), END, or WRONG. */
enum { NUMBER = 'n', END = 0, WRONG = '?' };

struct lexer {
    const char *text; /* what is left */
    int token;        /* the current token */
    double value;     /* of a NUMBER */
};

void lexer_next(struct lexer *lexer);

/* Evaluate TEXT. Returns 0 and sets *VALUE, or -1 for an error in TEXT. */
int calc_evaluate(const char *text, double *value);

#endif
