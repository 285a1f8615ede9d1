/* SPDX-License-Identifier: BSD-2-Clause */
/* Patterns: what is well formed, and what matches what. */
#include "check.h"

#include <errno.h>
#include <pattern.h>
#include <stdlib.h>
#include <string.h>

static void check_globs(void)
{
    static const struct {
        const char *glob, *text;
        bool matches;
    } rows[] = {
        {"", "", true},
        {"a", "a", true},
        {"a", "", false},
        {"", "a", false},
        {"a", "ab", false},
        {"*", "", true},
        {"*", "anything", true},
        {"a*", "a", true},
        {"*a", "bbba", true},
        {"*a", "ab", false},
        {"a*b*c", "aXbYbZc", true},
        {"a*b*c", "aXbYbZ", false},
        {"**a**", "bab", true},
        {"?", "", false},
        {"?", "x", true},
        {"a?c", "abc", true},
        {"[abc]x", "bx", true},
        {"[a-c]x", "dx", false},
        {"[!a-c]x", "dx", true},
        {"[^a-c]x", "ax", false},
        {"[]]", "]", true},
        {"[a-]", "-", true},
        {"[-a]", "-", true},
        {"\\*", "*", true},
        {"\\*", "x", false},
        {"\\[a]", "[a]", true},
        {"a__b", "a-b", true},
        {"a-b", "a__b", true},
        {"a-b", "a_b", false},
        {"a?b", "a__b", true}, /* one dash */
        {"*-*", "a__b", true},
        {"*b", "a__b", true},
        {"a___b", "a-_b", true},
        {"query-*", "query__start", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK(pattern_glob(rows[i].glob, rows[i].text) == rows[i].matches);
        if (pattern_glob(rows[i].glob, rows[i].text) != rows[i].matches)
            printf("  glob '%s', text '%s'\n", rows[i].glob, rows[i].text);
    }
}

/* A glob that would take a backtracking matcher for ever. */
static void check_cost(void)
{
    char text[2001];
    memset(text, 'a', 2000);
    text[2000] = '\0';
    CHECK(!pattern_glob("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

static int parse_error(const char *text)
{
    int error = 1;
    struct pattern *pattern = pattern_parse(text, strlen(text), &error);
    CHECK((pattern != NULL) == (error == 0));
    pattern_free(pattern);
    return error;
}

static void check_forms(void)
{
    static const char *const wrong[] = {"",     ",",    "a,", ",a",  "a:b:c", "a:b:c:d:e",
                                        "a,,b", "a[bc", "[",  "a[]", "a\\",   "a:b:c,d"};
    static const char *const right[] = {":",     "a",   "a:b", "a:",          ":b",
                                        "a:::b", ":::", "a,b", "a:b,c:d:e:f", "[]]"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(parse_error(wrong[i]) == -EINVAL);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        CHECK(parse_error(right[i]) == 0);
    pattern_free(NULL);
}

static bool matches(const char *text, const char *provider, const char *module,
                    const char *function, const char *name)
{
    int error;
    struct pattern *pattern = pattern_parse(text, strlen(text), &error);
    bool result = pattern && pattern_match(pattern, provider, module, function, name);
    pattern_free(pattern);
    return result;
}

static void check_parts(void)
{
    CHECK(matches("p", "p", "m", "f", "n"));
    CHECK(!matches("q", "p", "m", "f", "n"));
    CHECK(matches("p:n", "p", "m", "f", "n"));
    CHECK(!matches("p:f", "p", "m", "f", "n"));
    CHECK(matches("p:m:f:n", "p", "m", "f", "n"));
    CHECK(!matches("p:x:f:n", "p", "m", "f", "n"));
    CHECK(matches(":::n", "p", "m", "f", "n"));
    CHECK(matches("::f:", "p", "m", "f", "n"));
    CHECK(matches("x,y:z,p:n", "p", "m", "f", "n"));
    /* The function is unknown: only a part that matches everything matches it. */
    CHECK(matches("p:m::n", "p", "m", NULL, "n"));
    CHECK(matches("p:m:*:n", "p", "m", NULL, "n"));
    CHECK(!matches("p:m:?*:n", "p", "m", NULL, "n"));
    /* Only LENGTH characters count. */
    int error;
    struct pattern *pattern = pattern_parse("p:n=count", 3, &error);
    CHECK(pattern && pattern_match(pattern, "p", NULL, NULL, "n"));
    pattern_free(pattern);
}

int main(void)
{
    check_globs();
    check_cost();
    check_forms();
    check_parts();
    return check_failures != 0;
}
