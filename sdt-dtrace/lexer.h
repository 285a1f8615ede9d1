/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The text in words, for the grammar. White space, comments of C and C++, and everything from a #
 * to the end of its line are skipped: `#pragma D attributes ...` rates how stable an interface is,
 * `# 3 "x.d"` is the preprocessor's, and without one, people write comments so.
 */
#ifndef SDT_DTRACE_LEXER_H
#define SDT_DTRACE_LEXER_H

#include "source.h"

/* A piece of the text; also a place, for the grammar. */
struct span {
    size_t begin, end;
};

enum lexeme {
    LEXEME_END,
    LEXEME_WORD,   /* a name, a keyword */
    LEXEME_NUMBER, /* begins with a digit */
    LEXEME_STRING, /* with its quotes; also a character */
    LEXEME_OTHER,  /* any other character, of one byte */
    LEXEME_BAD,    /* a comment or a string that does not end; see SPAN for its beginning */
};

/* The word at or after *AT, which moves after it. */
enum lexeme lexer_next(const struct source *source, size_t *at, struct span *span);

#endif
