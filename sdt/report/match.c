/* SPDX-License-Identifier: BSD-2-Clause */
/* See match.h. */
#include "match.h"

#include "base/diag.h"
#include "probe_pattern.h"

#include <stdlib.h>
#include <string.h>

/* ---- What users write. ---- */

static bool is_message(const char *text)
{
    return strstr(text, " by ") || strstr(text, " match ");
}

/* The words of TEXT; where one pattern is missing, a comma in the other one is a blank: "a:b,c:d by
 * k". NULL, or what is wrong. */
static const char *parse_words(struct clauses *clauses, const char *text)
{
    const char *problem = clauses_parse_text(clauses, clauses_pair, text);
    size_t start = strspn(text, " "), length = strcspn(text + start, " ");
    const char *comma = memchr(text + start, ',', length);
    if (!problem || !comma)
        return problem;
    char *copy = memory_format("%s", text);
    copy[comma - text] = ' ';
    clauses_free(clauses);
    problem = clauses_parse_text(clauses, clauses_pair, copy);
    free(copy);
    return problem;
}

/* NULL if TEXT is a message; else what is wrong with it. */
static const char *parse(struct message_kind *kind, const char *text)
{
    kind->text = memory_format("%s", text);
    const char *problem = parse_words(&kind->clauses, text);
    if (problem)
        return problem;
    if (kind->clauses.by[1] || (kind->clauses.by[0] && kind->clauses.match))
        return "a message has one key";
    if (kind->clauses.by[0]) {
        kind->clauses.match = kind->clauses.by[0];
        kind->clauses.by[0] = NULL;
    }
    return kind->clauses.match ? NULL : "a message has a key";
}

int match_add(struct match *match, const char *text)
{
    if (!is_message(text)) {
        if (match->key_text)
            return diag_error("--match=%s: there is one key of requests, which is '%s'", text,
                              match->key_text);
        match->key_text = text;
        return filter_parse(&match->key, text);
    }
    match->kinds = memory_resize(match->kinds, match->kind_count + 1, sizeof *match->kinds);
    struct message_kind *kind = &match->kinds[match->kind_count++];
    *kind = (struct message_kind){0};
    const char *problem = parse(kind, text);
    if (problem)
        return diag_error("--match='%s': %s; a message is 'SEND RECEIVE by KEY'", text, problem);
    return filter_parse(&kind->predicate[0], kind->clauses.predicate[0]) != 0 ||
                   filter_parse(&kind->predicate[1], kind->clauses.predicate[1]) != 0 ||
                   filter_parse(&kind->key, kind->clauses.match) != 0
               ? -1
               : 0;
}

/* ---- Whose events they are. ---- */

static int find_side(struct message_kind *kind, const struct recording *recording, unsigned which)
{
    const char *text = kind->clauses.pattern[which];
    enum message_side side = which ? SIDE_RECEIVE : SIDE_SEND;
    struct probe_pattern pattern = {0};
    size_t found = 0, twice = 0;
    int result = probe_pattern_make(&pattern, text, recording);
    for (size_t i = 0; result == 0 && i < recording->trace_count; i++)
        for (size_t id = 0; id < recording->traces[i].class_limit; id++) {
            const struct event_class *class = recording->traces[i].classes[id];
            if (!class || !probe_pattern_matches(&pattern, class))
                continue;
            twice += kind->sides[i][id] != SIDE_NONE;
            kind->sides[i][id] = side;
            found++;
        }
    probe_pattern_free(&pattern);
    if (result == 0 && twice)
        result =
            diag_error("--match='%s': %s sends and receives: name two probes", kind->text, text);
    else if (result == 0 && !found)
        result = diag_error("--match='%s': %s: no recording has such a probe", kind->text, text);
    return result;
}

static int resolve(struct message_kind *kind, const struct recording *recording)
{
    kind->sides = memory_zeroed(recording->trace_count + 1, sizeof(enum message_side *));
    for (size_t i = 0; i < recording->trace_count; i++)
        kind->sides[i] =
            memory_zeroed(recording->traces[i].class_limit + 1, sizeof(enum message_side));
    const struct clauses *clauses = &kind->clauses;
    return find_side(kind, recording, 0) != 0 || find_side(kind, recording, 1) != 0 ||
                   filter_check(&kind->predicate[0], clauses->predicate[0], recording) != 0 ||
                   filter_check(&kind->predicate[1], clauses->predicate[1], recording) != 0 ||
                   filter_check(&kind->key, clauses->match, recording) != 0
               ? -1
               : 0;
}

int match_resolve(struct match *match, const struct recording *recording)
{
    match->trace_count = recording->trace_count;
    for (size_t i = 0; i < match->kind_count; i++)
        if (resolve(&match->kinds[i], recording) != 0)
            return -1;
    return filter_check(&match->key, match->key_text, recording);
}

static void free_kind(struct message_kind *kind, size_t traces)
{
    for (size_t i = 0; kind->sides && i < traces; i++)
        free(kind->sides[i]);
    free(kind->sides);
    free(kind->text);
    clauses_free(&kind->clauses);
    filter_free(&kind->predicate[0]);
    filter_free(&kind->predicate[1]);
    filter_free(&kind->key);
}

void match_free(struct match *match)
{
    for (size_t i = 0; i < match->kind_count; i++)
        free_kind(&match->kinds[i], match->trace_count);
    free(match->kinds);
    filter_free(&match->key);
    *match = (struct match){0};
}

/* ---- Values. ---- */

/* A number and a text are never the same. */
bool match_value(struct bytes *key, const struct term *value)
{
    uint64_t word = (uint64_t)value->integer;
    uint8_t kind = (uint8_t)value->kind;
    bytes_append(key, &kind, sizeof kind);
    switch (value->kind) {
    case TERM_INTEGER:
        bytes_append(key, &word, sizeof word);
        return true;
    case TERM_REAL:
        bytes_append(key, &value->real, sizeof value->real);
        return true;
    case TERM_TEXT:
        bytes_append(key, value->text.text, value->text.length);
        return true;
    default:
        return false;
    }
}

bool match_request(struct bytes *key, const struct match *match, const struct event *event)
{
    if (!match->key_text)
        return false;
    struct term value = filter_value(&match->key, event);
    bytes_append(key, match->key_text, strlen(match->key_text) + 1);
    return match_value(key, &value);
}
