/* SPDX-License-Identifier: BSD-2-Clause */
#include "lexer.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

/* After the comment at AT; NULL if it does not end. */
static const char *skip_comment(const char *at, const char *end)
{
    at = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
    return at ? at + 2 : NULL;
}

/* After the line, whose newline may follow a backslash. */
static const char *skip_line(const char *at, const char *end)
{
    for (; at < end && *at != '\n'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at;
}

/* Is what stands after a # one of the preprocessor's words, in which a comment is a comment? */
static bool is_directive(const char *at, const char *end)
{
    static const char *const known[] = {"define", "undef", "include", "if",    "ifdef",
                                        "ifndef", "elif",  "else",    "endif", "pragma"};
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    size_t length = 0;
    while (at + length < end && is_word(at[length]))
        length++;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i]) == length && !memcmp(at, known[i], length))
            return true;
    return false;
}

/* To the end of a directive's line, or to a comment in it. */
static const char *skip_directive(const char *at, const char *end)
{
    for (; at < end && *at != '\n' && !(at[0] == '/' && at[1] == '*'); at++) {
        if (at[0] == '/' && at[1] == '/')
            return skip_line(at, end);
        if (at[0] == '\\' && at + 1 < end)
            at++;
    }
    return at;
}

/*
 * After everything that is no word; NULL if a comment does not end, *AT is then where it begins.
 * A comment that begins in the line of a directive may end in a later one.
 */
static const char *skip_blank(const char **at, const char *end)
{
    bool in_directive = false;
    const char *p = *at;
    while (p < end) {
        if (p[0] == '/' && p[1] == '*') {
            *at = p;
            if (!(p = skip_comment(p, end)))
                return NULL;
        } else if (in_directive) {
            p = skip_directive(p, end);
            in_directive = p < end && *p != '\n';
        } else if (p[0] == '#') {
            in_directive = is_directive(++p, end);
            p = in_directive ? p : skip_line(p, end);
        } else if (p[0] == '/' && p[1] == '/') {
            p = skip_line(p, end);
        } else if (p[0] && strchr(" \t\n\r\f\v", p[0])) {
            p++;
        } else if (p[0] == '\\' && (p[1] == '\n' || p[1] == '\r')) {
            p += 2;
        } else {
            break;
        }
    }
    return p < end ? p : end;
}

/* After the closing quote; NULL if the line ends first. */
static const char *skip_string(const char *at, const char *end)
{
    char quote = *at++;
    for (; at < end && *at != '\n'; at++) {
        if (*at == quote)
            return at + 1;
        if (*at == '\\' && at + 1 < end)
            at++;
    }
    return NULL;
}

enum lexeme lexer_next(const struct source *source, size_t *at, struct span *span)
{
    const char *text = (const char *)source->text.data, *end = text + source->text.size;
    const char *begin = text + *at, *p = skip_blank(&begin, end);
    enum lexeme kind = LEXEME_OTHER;
    if (!p) {
        kind = LEXEME_BAD;
        p = end;
    } else if ((begin = p) == end) {
        kind = LEXEME_END;
    } else if (is_word(*p)) {
        kind = is_digit(*p) ? LEXEME_NUMBER : LEXEME_WORD;
        while (p < end && is_word(*p))
            p++;
    } else if (*p == '"' || *p == '\'') {
        p = skip_string(begin, end);
        kind = p ? LEXEME_STRING : LEXEME_BAD;
        p = p ? p : end;
    } else {
        p++;
    }
    *span = (struct span){(size_t)(begin - text), (size_t)(p - text)};
    *at = span->end;
    return kind;
}
