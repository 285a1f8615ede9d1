/* SPDX-License-Identifier: BSD-2-Clause */
/* Words of a command line as patterns, conditions, an expression and keys (sdt/command/clauses.c).
 */
#include "check.h"

#include <command/clauses.h>
#include <stdbool.h>
#include <string.h>

static const struct clauses_form count = {0, false, false}, hist = {1, true, false};
#define lat clauses_pair
enum { MOST = 12 };

/* What is wrong with LINE, whose words have tabs between them; "": nothing. */
static const char *parse(struct clauses *clauses, struct clauses_form form, const char *line)
{
    static char copy[256];
    char *words[MOST] = {NULL}, *rest = copy;
    size_t n = 0;
    snprintf(copy, sizeof copy, "%s", line);
    while (*line && n < MOST - 1 && (words[n] = strsep(&rest, "\t")))
        n++;
    const char *problem = clauses_parse(clauses, form, words);
    return problem ? problem : "";
}

static bool same(const char *text, const char *wanted)
{
    return text && wanted ? !strcmp(text, wanted) : text == wanted;
}

/* LINE has, in this order: patterns, conditions, value, keys, match. NULL: there is none. */
static void accept(struct clauses_form form, const char *line, const char *const wanted[8])
{
    struct clauses c;
    const char *problem = parse(&c, form, line);
    const char *found[8] = {c.pattern[0], c.pattern[1], c.predicate[0], c.predicate[1],
                            c.value,      c.by[0],      c.by[1],        c.match};
    bool is_right = !*problem;
    for (unsigned i = 0; i < 8; i++)
        is_right = is_right && same(found[i], wanted[i]);
    if (!is_right)
        printf("'%s': %s\n", line, problem);
    CHECK(is_right);
    clauses_free(&c);
    CHECK(!c.pattern[0] && !c.by[0]);
}

static void refuse(struct clauses_form form, const char *line, const char *wanted)
{
    struct clauses c;
    const char *problem = parse(&c, form, line);
    if (!strstr(problem, wanted))
        printf("'%s': %s\n", line, problem);
    CHECK(*problem && strstr(problem, wanted));
    clauses_free(&c);
}

#define ACCEPT(form, line, ...) accept(form, line, (const char *const[8]){__VA_ARGS__})

static void patterns(void)
{
    ACCEPT(count, "web", "web");
    ACCEPT(count, "web\ta:b\tc", "web,a:b,c");
    ACCEPT(hist, "web\tn", "web", NULL, NULL, NULL, "n");
    ACCEPT(lat, "a\tb", "a", "b");
    ACCEPT(count, "  web \t a ", "web,a");
    refuse(count, "", "no pattern");
    refuse(hist, "", "no pattern");
    refuse(lat, "a:b", "two patterns are needed");
    refuse(lat, "a /b/", "two patterns are needed");
    refuse(lat, "a\tb\tc", "more words than are understood");
}

/* One word where a pair is needed. */
static void functions(void)
{
    ACCEPT(lat, "serve", "fn::serve:entry", "fn::serve:return", NULL, NULL, NULL, NULL, NULL,
           "frame");
    ACCEPT(lat, "*\tby\tfunction, tid", "fn::*:entry", "fn::*:return", NULL, NULL, NULL, "function",
           "tid", "frame");
    ACCEPT(lat, "serve\tmatch\ttid", "fn::serve:entry", "fn::serve:return", NULL, NULL, NULL, NULL,
           NULL, "tid");
    refuse(lat, "serve\tmatch", "'match' needs an expression");
    refuse(lat, "by\tfunction", "two patterns are needed");
}

static void conditions(void)
{
    ACCEPT(count, "web /n > 9/", "web", NULL, "n > 9");
    ACCEPT(count, "web\t/n > 9/", "web", NULL, "n > 9");
    ACCEPT(count, "a\tb\t/n/", "a,b", NULL, "n");
    ACCEPT(hist, "web\t/n/\tn * 2", "web", NULL, "n", NULL, "n * 2");
    ACCEPT(lat, "a /x/\tb /y/", "a", "b", "x", "y");
    ACCEPT(lat, "a\t/x/\tb\t/y/\tby\tz", "a", "b", "x", "y", NULL, "z");
    ACCEPT(lat, "a\tb\t/y/", "a", "b", NULL, "y");
    /* A slash in it divides. */
    ACCEPT(count, "web\t/ n / 2 > 9 /", "web", NULL, "n / 2 > 9");
    refuse(count, "/n/", "after a pattern");
    refuse(count, "web /n", "after a pattern");
    refuse(count, "web /n/ 2", "after a pattern");
    refuse(count, "web /n/\t/m/", "two conditions");
}

static void values_and_keys(void)
{
    ACCEPT(hist, "web\tn\t*\t2", "web", NULL, NULL, NULL, "n * 2");
    /* After the value begins, a slash divides. */
    ACCEPT(hist, "web\tn\t/\t2", "web", NULL, NULL, NULL, "n / 2");
    ACCEPT(count, "web\tby\ta", "web", NULL, NULL, NULL, NULL, "a");
    ACCEPT(count, "web\tby\ta,b", "web", NULL, NULL, NULL, NULL, "a", "b");
    ACCEPT(count, "web\tby\ta,\tb\t+\t1", "web", NULL, NULL, NULL, NULL, "a", "b + 1");
    /* Commas in parentheses and in quotes are no ends. */
    ACCEPT(count, "web\tby\tf(a, b), c", "web", NULL, NULL, NULL, NULL, "f(a, b)", "c");
    ACCEPT(count, "web\tby\ta == \"x,\\\",(\",b", "web", NULL, NULL, NULL, NULL,
           "a == \"x,\\\",(\"", "b");
    refuse(hist, "web", "no expression");
    refuse(hist, "web\tby\ta", "no expression");
    refuse(count, "web\tby", "'by' needs an expression");
    refuse(count, "web\tby\t,a", "on each side of the comma");
    refuse(count, "web\tby\ta,", "on each side of the comma");
    refuse(count, "web\tby\ta,b,c", "at most two keys");
    refuse(count, "web by a", "'by' is a word of its own");
}

static void matches(void)
{
    ACCEPT(lat, "a\tb\tmatch\tid", "a", "b", NULL, NULL, NULL, NULL, NULL, "id");
    ACCEPT(lat, "a\tb\t/n/\tmatch\tid\t+\t1\tby\tc,\td", "a", "b", NULL, "n", NULL, "c", "d",
           "id + 1");
    ACCEPT(lat, "a\tb\tby\tc\tmatch\tid", "a", "b", NULL, NULL, NULL, "c", NULL, "id");
    ACCEPT(count, "match\tb", "match,b"); /* a probe of that name */
    refuse(lat, "a\tb\tmatch", "'match' needs an expression");
    refuse(lat, "a\tb\tmatch\tby\tc", "'match' needs an expression");
    refuse(lat, "a\tb\tmatch\tc\tmatch\td", "'match' is given twice");
    refuse(lat, "a\tb\tby\tc\tby\td", "'by' is given twice");
    refuse(lat, "a\tb match c", "'match' is a word of its own");
}

static void texts(void)
{
    struct clauses c;
    const char *problem = clauses_parse_text(&c, lat, " a:b /n / 2 > 3/  c:d match id ");
    CHECK(!problem && same(c.pattern[0], "a:b") && same(c.predicate[0], "n / 2 > 3") &&
          same(c.pattern[1], "c:d") && same(c.match, "id") && !c.predicate[1] && !c.by[0]);
    clauses_free(&c);
    problem = clauses_parse_text(&c, lat, " \t");
    CHECK(problem && strstr(problem, "two patterns are needed"));
    clauses_free(&c);
}

int main(void)
{
    functions();
    matches();
    texts();
    patterns();
    conditions();
    values_and_keys();
    return check_failures != 0;
}
