/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See pattern.h. The matcher is our own instead of fnmatch(3) because it runs inside probe hits,
 * possibly under a signal handler: fnmatch may allocate, and follows the program's locale.
 *
 * DTrace shows `__` in names as `-`. Both spellings match: text and glob are compared after every
 * `__` of either was read as one `-`.
 */
#include "pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PROVIDER, MODULE, FUNCTION, NAME, PARTS };

struct alternative {
    const char *part[PARTS]; /* into `text` */
};

struct pattern {
    size_t n;
    struct alternative *alternatives;
    char *text;
};

/* The next character of TEXT, with `__` read as `-`; advances. */
static char next_char(const char **text)
{
    const char *p = *text;
    if (p[0] == '_' && p[1] == '_') {
        *text = p + 2;
        return '-';
    }
    *text = p + 1;
    return *p;
}

/* Match C against the set at *GLOB (after its `[`); advances after the `]`. */
static bool match_set(const char **glob, char c)
{
    const char *p = *glob;
    bool negated = *p == '!' || *p == '^';
    bool found = false;
    if (negated)
        p++;
    for (bool first = true; *p && (first || *p != ']'); first = false) {
        unsigned char low = (unsigned char)*p, high = low;
        if (p[1] == '-' && p[2] && p[2] != ']') {
            high = (unsigned char)p[2];
            p += 2;
        }
        p++;
        if ((unsigned char)c >= low && (unsigned char)c <= high)
            found = true;
    }
    *glob = *p ? p + 1 : p;
    return found != negated;
}

/* Match one element of the glob other than `*` against C; advances. */
static bool match_one(const char **glob, char c)
{
    switch (**glob) {
    case '?':
        ++*glob;
        return true;
    case '[':
        ++*glob;
        return match_set(glob, c);
    case '\\':
        if ((*glob)[1])
            ++*glob;
        break;
    default:
        break;
    }
    return next_char(glob) == c;
}

/* Linear in practice: only the last `*` is ever retried. */
bool pattern_glob(const char *glob, const char *text)
{
    const char *star = NULL, *retry = NULL;
    while (*text) {
        if (*glob == '*') {
            star = ++glob;
            retry = text;
            continue;
        }
        const char *rest = text, *next = glob;
        if (*glob && match_one(&next, next_char(&rest))) {
            glob = next;
            text = rest;
            continue;
        }
        if (!star)
            return false;
        next_char(&retry);
        glob = star;
        text = retry;
    }
    while (*glob == '*')
        glob++;
    return *glob == '\0';
}

static bool is_any(const char *glob)
{
    return !glob || *glob == '\0' || strcmp(glob, "*") == 0;
}

bool pattern_part(const char *glob, const char *text)
{
    return is_any(glob) || (text && pattern_glob(glob, text));
}

bool pattern_match(const struct pattern *pattern, const char *provider, const char *module,
                   const char *function, const char *name)
{
    for (size_t i = 0; i < pattern->n; i++) {
        const struct alternative *a = &pattern->alternatives[i];
        if (pattern_part(a->part[NAME], name) && pattern_part(a->part[PROVIDER], provider) &&
            pattern_part(a->part[MODULE], module) && pattern_part(a->part[FUNCTION], function))
            return true;
    }
    return false;
}

bool pattern_may_match(const struct pattern *pattern, const char *provider, const char *name)
{
    for (size_t i = 0; i < pattern->n; i++)
        if (pattern_part(pattern->alternatives[i].part[NAME], name) &&
            pattern_part(pattern->alternatives[i].part[PROVIDER], provider))
            return true;
    return false;
}

bool pattern_names_places(const struct pattern *pattern)
{
    for (size_t i = 0; i < pattern->n; i++)
        if (!is_any(pattern->alternatives[i].part[MODULE]) ||
            !is_any(pattern->alternatives[i].part[FUNCTION]))
            return true;
    return false;
}

/* A set that never ends is a mistake, not a literal bracket. */
static bool is_well_formed(const char *glob)
{
    for (const char *p = glob; *p; p++) {
        if (*p == '\\') { /* whatever is after it is itself, also a bracket */
            if (*++p == '\0')
                return false;
            continue;
        }
        if (*p != '[')
            continue;
        p += p[1] == '!' || p[1] == '^' ? 2 : 1;
        p = *p ? strchr(p + 1, ']') : NULL;
        if (!p)
            return false;
    }
    return true;
}

/* Cut TEXT, one alternative, at its colons. */
static bool parse_alternative(char *text, struct alternative *result)
{
    char *part[PARTS] = {text};
    size_t n = 1;
    if (*text == '\0')
        return false;
    for (char *p = text; *p; p++) {
        if (*p != ':')
            continue;
        if (n == PARTS)
            return false;
        *p = '\0';
        part[n++] = p + 1;
    }
    for (size_t i = 0; i < n; i++)
        if (!is_well_formed(part[i]))
            return false;
    static const char any[] = "";
    if (n == 3)
        return false;
    *result = (struct alternative){{part[0], n == 4 ? part[1] : any, n == 4 ? part[2] : any,
                                    n == 4   ? part[3]
                                    : n == 2 ? part[1]
                                             : any}};
    return true;
}

struct pattern *pattern_parse(const char *text, size_t length, int *error)
{
    struct pattern *pattern = calloc(1, sizeof *pattern);
    size_t count = 1;
    for (size_t i = 0; i < length; i++)
        count += text[i] == ',';
    if (pattern)
        pattern->text = strndup(text, length);
    if (pattern && pattern->text)
        pattern->alternatives = calloc(count, sizeof *pattern->alternatives);
    if (!pattern || !pattern->alternatives) {
        *error = -ENOMEM;
        goto fail;
    }
    *error = -EINVAL;
    char *p = pattern->text;
    for (size_t i = 0; i < count; i++) {
        char *comma = strchr(p, ',');
        if (comma)
            *comma = '\0';
        if (!parse_alternative(p, &pattern->alternatives[pattern->n++]))
            goto fail;
        p = comma ? comma + 1 : p;
    }
    *error = 0;
    return pattern;

fail:
    pattern_free(pattern);
    return NULL;
}

void pattern_free(struct pattern *pattern)
{
    if (!pattern)
        return;
    free(pattern->alternatives);
    free(pattern->text);
    free(pattern);
}
