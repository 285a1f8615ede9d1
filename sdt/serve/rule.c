/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See rule.h. All that can be wrong without a process is found here, before the first one is
 * looked for: words, options, and the grammar of patterns and expressions. What their names mean,
 * only a process can tell.
 */
#include "rule.h"

#include "base/diag.h"
#include "base/now.h"
#include "base/probe_words.h"
#include "command/mark.h"
#include "expression/expression.h"
#include "print/text.h"

#include <ctype.h>
#include <getopt.h>
#include <pwd.h>
#include <sdt/format.h>
#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>

static const struct kind {
    const char *name;
    enum live_action action;
    enum openmetrics_family family;
    struct clauses_form form;
} kinds[] = {
    {"count", LIVE_COUNT, OPENMETRICS_HITS, {0, false, false}},
    {"hist", LIVE_HIST, OPENMETRICS_VALUES, {1, true, false}},
    {"lat", LIVE_STOP, OPENMETRICS_LATENCY, {2, false, true}},
};

static const struct option options[] = {
    {"process", required_argument, NULL, 'p'},
    {"user", required_argument, NULL, 'u'},
    {"cgroup", required_argument, NULL, 'g'},
    {"keys", required_argument, NULL, 'k'},
    {"linear", required_argument, NULL, 'l'},
    {"label", required_argument, NULL, 'L'},
    {"by-process", no_argument, NULL, 'b'},
    {"exemplars", no_argument, NULL, 'e'},
    {NULL, 0, NULL, 0},
};

static const struct kind *kind_of(const struct rule *rule)
{
    const struct kind *kind = kinds;
    while (kind->action != rule->request.action)
        kind++;
    return kind;
}

static int wrong(const struct rule *rule, const char *problem)
{
    return diag_error("%s: %s", rule->place, problem);
}

/* ---- Options. ---- */

static int take_process(struct rule *rule, const char *name)
{
    if (!*name || name[strspn(name, "0123456789")] == '\0')
        return wrong(rule, "-p needs a name, or a pattern such as 'web*': a number would mean "
                           "another process after a restart");
    rule->selector.name = name;
    return 0;
}

static int take_user(struct rule *rule, const char *name)
{
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    const struct passwd *entry = getpwnam(name);
    bool is_number = isdigit((unsigned char)*name) && !*end && number < UINT32_MAX;
    if (!entry && !is_number)
        return diag_error("%s: --user=%s: there is no such user", rule->place, name);
    rule->selector.has_user = true;
    rule->selector.user = entry ? entry->pw_uid : (uid_t)number;
    return 0;
}

static int take_keys(struct rule *rule, const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || number == 0 || number > LIVE_MAX_KEYS)
        return diag_error("%s: --keys needs a number from 1 to %d", rule->place, LIVE_MAX_KEYS);
    rule->request.keys = (uint32_t)number;
    return 0;
}

static int take_linear(struct rule *rule, const char *text)
{
    if (rule->request.action != LIVE_HIST)
        return wrong(rule, "--linear is for hist");
    return measure_take_linear(&rule->request, text)
               ? 0
               : wrong(rule, "linear buckets are LOW:STEP, two integers, as in 0:10");
}

/* What we say of a series ourselves; `le` is a bucket's. */
static bool is_reserved(const char *name, size_t length)
{
    static const char *const names[] = {"provider", "probe", "program",    "pid", "key",
                                        "key2",     "end",   "expression", "le"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !strncmp(name, names[i], length))
            return true;
    return length > 1 && name[0] == '_' && name[1] == '_';
}

static int take_label(struct rule *rule, const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    if (length == 0 || isdigit((unsigned char)*text) || text[length] != '=')
        return wrong(rule, "a label is NAME=VALUE; NAME is letters, digits and _, as in team=shop");
    if (is_reserved(text, length))
        return diag_error("%s: --label=%s: the label %.*s has a meaning already", rule->place, text,
                          (int)length, text);
    for (size_t i = 0; i < rule->own.count; i++)
        if (strncmp(rule->own.list[i], text, length + 1) == 0)
            return diag_error("%s: the label %.*s is given twice", rule->place, (int)length, text);
    words_add(&rule->own, (char *)(uintptr_t)text);
    return 0;
}

/* As openmetrics.h wants them. */
static char *labels_of(const struct words *own)
{
    struct bytes text = {0};
    for (size_t i = 0; i < own->count; i++) {
        size_t length = strcspn(own->list[i], "=");
        text_char(&text, ',');
        bytes_append(&text, own->list[i], length + 1);
        openmetrics_quote(&text, slice_of(own->list[i] + length + 1));
    }
    return text.size ? bytes_take_text(&text) : NULL;
}

static int take_option(struct rule *rule, int option, const char *word)
{
    switch (option) {
    case 'p':
        return take_process(rule, optarg);
    case 'u':
        return take_user(rule, optarg);
    case 'g':
        rule->selector.cgroup = optarg;
        return *optarg ? 0 : wrong(rule, "--cgroup needs a pattern, as in 'web.service'");
    case 'k':
        return take_keys(rule, optarg);
    case 'l':
        return take_linear(rule, optarg);
    case 'L':
        return take_label(rule, optarg);
    case 'b':
        rule->by_process = true;
        return 0;
    case 'e':
        rule->request.exemplars = measure_exemplar_period(1, true);
        return 0;
    case ':':
        return diag_error("%s: %s: the option needs an argument", rule->place, word);
    default:
        return diag_error("%s: %s: a line has no such option; when, where to and how long are "
                          "options of sdt serve itself",
                          rule->place, word);
    }
}

static int take_options(struct rule *rule)
{
    int result = 0;
    optind = 0; /* getopt starts anew */
    opterr = 0;
    while (result == 0) {
        int option =
            getopt_long((int)rule->words.count, rule->words.list, ":p:u:k:l:", options, NULL);
        if (option < 0)
            break;
        result = take_option(rule, option, rule->words.list[optind - 1]);
    }
    opterr = 1;
    rule->labels = labels_of(&rule->own);
    return result;
}

/* ---- Patterns and expressions. ---- */

static int check_expression(const struct rule *rule, const char *text)
{
    struct grammar_error error = {0};
    struct expression *expression = text ? expression_parse(text, &error) : NULL;
    bool is_right = !text || expression;
    expression_free(expression);
    if (is_right)
        return 0;
    char *problem = memory_format("%s: %s", rule->place, error.problem);
    mark_error(text, error.offset, problem);
    free(problem);
    return -1;
}

/* PART names functions, as `fn::serve`: no pattern before a process has read it. */
static bool is_of_functions(const char *part)
{
    struct probe_words words;
    bool is_whole = probe_words_split(&words, part, SDT_FUNCTION_PROVIDER) == PROBE_WORDS &&
                    strcmp(words.word[WORD_PROVIDER], SDT_FUNCTION_PROVIDER) == 0;
    probe_words_free(&words);
    return is_whole;
}

/* Each part alone. */
static int check_pattern(const struct rule *rule, const char *text)
{
    char *copy = text ? memory_format("%s", text) : NULL, *rest = copy;
    bool is_right = true;
    for (char *part; is_right && (part = probe_words_next(&rest));) {
        int error = 0;
        struct pattern *pattern = pattern_parse(part, strlen(part), &error);
        is_right = pattern || is_of_functions(part);
        pattern_free(pattern);
    }
    free(copy);
    return is_right ? 0
                    : diag_error("%s: %s: this is no pattern of probes: PROVIDER:NAME, as in "
                                 "'web:request-*'",
                                 rule->place, text);
}

static int check_clauses(const struct rule *rule)
{
    const struct clauses *clauses = &rule->request.clauses;
    int result = check_expression(rule, clauses->value);
    if (result == 0)
        result = check_expression(rule, clauses->match);
    for (unsigned i = 0; i < CLAUSES_PATTERNS && result == 0; i++) {
        result = check_pattern(rule, clauses->pattern[i]);
        if (result == 0)
            result = check_expression(rule, clauses->predicate[i]);
        if (result == 0)
            result = check_expression(rule, clauses->by[i]);
    }
    return result;
}

/* ---- A line. ---- */

static char *text_of(const struct words *words)
{
    struct bytes text = {0};
    for (size_t i = 0; i < words->count; i++)
        words_quote(&text, words->list[i]);
    return bytes_take_text(&text);
}

static const struct kind *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

static int parse(struct rule *rule)
{
    if (take_options(rule) != 0)
        return -1;
    const struct selector *selector = &rule->selector;
    if (!selector->name && !selector->cgroup && !selector->has_user)
        return wrong(rule, "of which processes? -p NAME, --cgroup=NAME or --user=NAME");
    const char *problem =
        clauses_parse(&rule->request.clauses, kind_of(rule)->form, rule->words.list + optind);
    const struct clauses *clauses = &rule->request.clauses;
    rule->is_plain = rule->request.action == LIVE_COUNT && !clauses->predicate[0] &&
                     !clauses->by[0] && !rule->request.exemplars;
    return problem ? wrong(rule, problem) : check_clauses(rule);
}

struct rule *rule_parse(const char *file, size_t line, struct words *words)
{
    struct rule *rule = memory_zeroed(1, sizeof *rule);
    *rule = (struct rule){.line = line, .text = text_of(words), .words = *words};
    rule->place = memory_format("%s:%zu", file, line);
    *words = (struct words){0};
    const struct kind *kind = find_kind(rule->words.list[0]);
    if (kind)
        rule->request.action = kind->action;
    else
        diag_error("%s: %s: a line begins with count, hist or lat", rule->place,
                   rule->words.list[0]);
    if (kind && parse(rule) == 0)
        return rule;
    rule_free(rule);
    return NULL;
}

void rule_free(struct rule *rule)
{
    series_free(&rule->series);
    clauses_free(&rule->request.clauses);
    words_free(&rule->words);
    words_free(&rule->own);
    free(rule->labels);
    free(rule->place);
    free(rule->text);
    free(rule);
}

enum openmetrics_family rule_family(const struct rule *rule)
{
    return kind_of(rule)->family;
}

const char *rule_more(const struct rule *rule)
{
    const struct clauses *clauses = &rule->request.clauses;
    return rule->request.action == LIVE_STOP ? clauses->pattern[1] : clauses->value;
}

size_t rule_most_keys(const struct rule *rule)
{
    bool is_count = rule->request.action == LIVE_COUNT;
    return rule->request.keys ? rule->request.keys
           : is_count         ? COMPILE_COUNT_KEYS
                              : COMPILE_HIST_KEYS;
}

static bool is_same(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : one == other;
}

/* A condition and a selector are in no label. */
bool rule_is_twin(const struct rule *one, const struct rule *other)
{
    const struct clauses *a = &one->request.clauses, *b = &other->request.clauses;
    return one->request.action == other->request.action && is_same(a->pattern[0], b->pattern[0]) &&
           is_same(a->pattern[1], b->pattern[1]) && is_same(a->value, b->value) &&
           !a->by[0] == !b->by[0] && !a->by[1] == !b->by[1] &&
           one->by_process == other->by_process && is_same(one->labels, other->labels) &&
           is_same(one->selector.name, other->selector.name);
}

/* ---- Messages. ---- */

#define SILENCE_SECONDS 60

void rule_begin_messages(struct rule *rule)
{
    diag_set_context(rule->place, rule->told && seconds_since(rule->told) < SILENCE_SECONDS);
}

void rule_end_messages(struct rule *rule, bool has_failed)
{
    if (has_failed && !diag_is_muted())
        rule->told = now();
    diag_set_context(NULL, false);
}
