/* SPDX-License-Identifier: BSD-2-Clause */
/* Patterns: what is well formed, and what matches what. */
#include "check.h"

#include <errno.h>
#include <shared/pattern.h>
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
        {"[a-c]x", "ax", true},
        {"[a-c]x", "bx", true},
        {"[a-c]x", "cx", true},
        {"[a-c]x", "dx", false},
        {"[b-c]x", "ax", false},
        {"[!a-c]x", "bx", false},
        {"[!]]x", "ax", true},
        {"[!]]x", "]x", false},
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
        {"a_b", "a-b", false},
        {"a_b", "a_b", true},
        {"a_b", "a_c", false},
        {"a_", "a_", true},
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
    static const char *const wrong[] = {"",     ",",     "a,",      ",a",  "a:b:c", "a:b:c:d:e",
                                        "a,,b", "a[bc",  "[",       "a[]", "a\\",   "a:b:c,d",
                                        "[!",   "[^",    "[!]",     "[^]", "a:[",   "[:a",
                                        "[]",   "a:b\\", "a:b[:c:d"};
    static const char *const right[] = {":",    "a",    "a:b",         "a:",   ":b",   "a:::b",
                                        ":::",  "a,b",  "a:b,c:d:e:f", "[]]",  "[!]]", "[^]]",
                                        "[!a]", "[^a]", "\\[",         "a\\\\"};
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
    CHECK(!matches("x:m:f:n", "p", "m", "f", "n"));
    CHECK(!matches("p:m:x:n", "p", "m", "f", "n"));
    CHECK(!matches("p:m:f:x", "p", "m", "f", "n"));
    CHECK(!matches("p:x", "p", "m", "f", "n"));
    CHECK(!matches("x:n", "p", "m", "f", "n"));
    CHECK(matches(":::n", "p", "m", "f", "n"));
    CHECK(matches("::f:", "p", "m", "f", "n"));
    CHECK(matches("x,y:z,p:n", "p", "m", "f", "n"));
    /* The function is unknown: only a part that matches everything matches it. */
    CHECK(matches("p:m::n", "p", "m", NULL, "n"));
    CHECK(matches("p:m:*:n", "p", "m", NULL, "n"));
    CHECK(!matches("p:m:?*:n", "p", "m", NULL, "n"));
    CHECK(matches("p:\\[x", "p", "m", "f", "[x"));
    /* Only LENGTH characters count. */
    int error;
    struct pattern *pattern = pattern_parse("p:n=count", 3, &error);
    CHECK(pattern && pattern_match(pattern, "p", NULL, NULL, "n"));
    pattern_free(pattern);
}

/* What is asked before any site is looked at: neither may say no where a site could match. */
static void check_questions(void)
{
    static const struct {
        const char *text;
        bool may_match, names_places; /* p:n */
    } rows[] = {
        {"p", true, false},       {"q", false, false},          {"p:n", true, false},
        {"p:x", false, false},    {"x:n", false, false},        {"p:m:f:n", true, true},
        {"p:m::n", true, true},   {"p::f:n", true, true},       {"p:::n", true, false},
        {"p:*:*:n", true, false}, {"p:*:f:n", true, true},      {"p:m:*:n", true, true},
        {"q:m:f:n", false, true}, {"p:m:f:x", false, true},     {"x,y:z", false, false},
        {"x,p:n", true, false},   {"x:y,a:b:c:d", false, true}, {"p:?*:*:n", true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int error;
        struct pattern *pattern = pattern_parse(rows[i].text, strlen(rows[i].text), &error);
        CHECK(pattern && pattern_may_match(pattern, "p", "n") == rows[i].may_match);
        CHECK(pattern && pattern_names_places(pattern) == rows[i].names_places);
        pattern_free(pattern);
    }
}

int main(void)
{
    check_globs();
    check_cost();
    check_forms();
    check_parts();
    check_questions();
    return check_failures != 0;
}
