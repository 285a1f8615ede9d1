/* SPDX-License-Identifier: BSD-2-Clause */
/* See pairs.h. */
#include "pairs.h"

#include "base/diag.h"
#include "print/text.h"
#include "probe_pattern.h"
#include "trace/pair_names.h"

#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>

static struct pair *add(struct pairs *pairs)
{
    pairs->list = memory_resize(pairs->list, pairs->count + 1, sizeof *pairs->list);
    struct pair *pair = &pairs->list[pairs->count++];
    *pair = (struct pair){0};
    return pair;
}

static void free_pair(struct pair *pair)
{
    free(pair->text);
    free(pair->name);
    free(pair->begin);
    free(pair->end);
    clauses_free(&pair->clauses);
    filter_free(&pair->predicate[0]);
    filter_free(&pair->predicate[1]);
    filter_free(&pair->match);
}

static void free_roles(struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->trace_count; i++)
        free(pairs->roles[i]);
    free(pairs->roles);
    free(pairs->class_limits);
    pairs->roles = NULL;
    pairs->class_limits = NULL;
    pairs->trace_count = 0;
}

void pairs_free(struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        free_pair(&pairs->list[i]);
    free(pairs->list);
    free_roles(pairs);
    *pairs = (struct pairs){0};
}

/* ---- What users write. ---- */

/* NULL if TEXT is a pair; else what is wrong with it. */
static const char *parse(struct pair *pair, const char *text)
{
    pair->text = memory_format("%s", text);
    if (text[strcspn(text, " \t=")] == '=')
        return "a pair is two words, and perhaps an expression: 'BEGIN END match EXPRESSION'";
    const char *problem = clauses_parse_text(&pair->clauses, clauses_pair, text);
    if (!problem && pair->clauses.by[0])
        problem = "a pair has no 'by'";
    return problem;
}

static int parse_expressions(struct pair *pair, bool is_quiet)
{
    const struct clauses *clauses = &pair->clauses;
    int (*parse_one)(struct filter *, const char *) = is_quiet ? filter_try : filter_parse;
    return parse_one(&pair->predicate[0], clauses->predicate[0]) != 0 ||
                   parse_one(&pair->predicate[1], clauses->predicate[1]) != 0 ||
                   parse_one(&pair->match, clauses->match) != 0
               ? -1
               : 0;
}

int pairs_add(struct pairs *pairs, const char *text)
{
    struct pair *pair = add(pairs);
    const char *problem = parse(pair, text);
    return problem ? diag_error("%s: %s", text, problem) : parse_expressions(pair, false);
}

static int check_expressions(const struct pair *pair, const struct recording *recording)
{
    const struct clauses *clauses = &pair->clauses;
    return filter_check(&pair->predicate[0], clauses->predicate[0], recording) != 0 ||
                   filter_check(&pair->predicate[1], clauses->predicate[1], recording) != 0 ||
                   filter_check(&pair->match, clauses->match, recording) != 0
               ? -1
               : 0;
}

/* ---- Whose events they are. ---- */

static void make_roles(struct pairs *pairs, const struct recording *recording)
{
    free_roles(pairs);
    pairs->trace_count = recording->trace_count;
    pairs->roles = memory_zeroed(recording->trace_count + 1, sizeof(struct role *));
    pairs->class_limits = memory_zeroed(recording->trace_count + 1, sizeof *pairs->class_limits);
    for (size_t i = 0; i < recording->trace_count; i++) {
        pairs->class_limits[i] = recording->traces[i].class_limit;
        pairs->roles[i] = memory_zeroed(recording->traces[i].class_limit + 1, sizeof(struct role));
    }
}

const struct role *pairs_role(const struct pairs *pairs, const struct recording *recording,
                              const struct trace *trace, const struct event_class *class)
{
    return &pairs->roles[trace - recording->traces][class->id];
}

/* Call VISIT for each class; the sum of what it returns. */
static size_t each_class(const struct recording *recording, void *data,
                         size_t (*visit)(void *data, size_t trace, const struct event_class *class))
{
    size_t sum = 0;
    for (size_t i = 0; i < recording->trace_count; i++)
        for (size_t id = 0; id < recording->traces[i].class_limit; id++)
            if (recording->traces[i].classes[id])
                sum += visit(data, i, recording->traces[i].classes[id]);
    return sum;
}

/* A role for the classes that match. */
struct casting {
    struct pairs *pairs;
    struct probe_pattern pattern;
    struct role role;
    size_t refused;    /* that have another role already */
    const char *label; /* of the probe that was found; NULL: none, or several */
    size_t calls;      /* classes of functions */
    const struct recording *recording;
};

static size_t cast(void *data, size_t trace, const struct event_class *class)
{
    struct casting *casting = data;
    struct role *role = &casting->pairs->roles[trace][class->id];
    if (!probe_pattern_matches(&casting->pattern, class))
        return 0;
    if (role->kind != ROLE_NONE && role->pair != casting->role.pair) {
        casting->refused++;
        return 1;
    }
    if (role->kind != ROLE_NONE && role->kind != casting->role.kind)
        casting->refused++;
    *role = casting->role;
    casting->label = casting->recording->probes[class->probe].label;
    casting->calls += class->title != NULL;
    return 1;
}

/* The label of what PATTERN stands for: of a probe, or the pattern, if that may be several. */
static char *label_for(const struct casting *casting, const char *pattern)
{
    struct bytes text = {0};
    bool is_one = casting->label && !strpbrk(pattern, "*?[,");
    text_name(&text, is_one ? casting->label : pattern);
    return bytes_take_text(&text);
}

/* Whether PAIR is that of `sdt lat FUNCTION`: fn::FUNCTION:entry fn::FUNCTION:return match frame.
 * From one function's entry to another's return is none. */
static bool is_of_calls(const struct pair *pair)
{
    const char *begin = strrchr(pair->begin, ':'), *end = strrchr(pair->end, ':');
    return begin && end && begin - pair->begin == end - pair->end &&
           strncmp(pair->begin, pair->end, (size_t)(begin - pair->begin)) == 0 &&
           pair->clauses.match && !strcmp(pair->clauses.match, SDT_FUNCTION_FRAME);
}

/* Where pair number I begins (WHICH 0) or ends. How many classes that are; 0 or -1: after a
 * message, unless IS_QUIET. */
static long assign(struct pairs *pairs, const struct recording *recording, size_t i, unsigned which,
                   bool is_quiet)
{
    struct pair *pair = &pairs->list[i];
    const char *pattern = pair->clauses.pattern[which];
    struct casting casting = {
        .pairs = pairs, .role = {which ? ROLE_END : ROLE_BEGIN, i}, .recording = recording};
    if (probe_pattern_make(&casting.pattern, pattern, recording) != 0) {
        probe_pattern_free(&casting.pattern);
        return -1;
    }
    long found = (long)each_class(recording, &casting, cast);
    *(which ? &pair->end : &pair->begin) = label_for(&casting, pattern);
    probe_pattern_free(&casting.pattern);
    pair->is_functions =
        found == (long)casting.calls && (which == 0 || (pair->is_functions && is_of_calls(pair)));
    if (found && !casting.refused)
        return found;
    if (!is_quiet && casting.refused)
        diag_error("%s: this probe has two roles in pairs: it can begin or end only one", pattern);
    else if (!is_quiet)
        diag_error("%s: this recording has no such probe", pattern);
    return casting.refused ? -1 : 0;
}

/* What both names have in common, if they are those of a pair; else the begin. */
static char *name_of(const struct pair *pair)
{
    struct bytes name = {0};
    if (pair->is_functions)
        return NULL;
    const char *begin = strchr(pair->begin, ':');
    size_t provider = begin ? (size_t)(begin - pair->begin) + 1 : 0, stem;
    bool is_pair = begin && strncmp(pair->begin, pair->end, provider) == 0 &&
                   pair_names_match(begin + 1, pair->end + provider, &stem) && stem;
    bytes_append(&name, pair->begin, is_pair ? provider + stem : strlen(pair->begin));
    return bytes_take_text(&name);
}

static int resolve_users(struct pairs *pairs, const struct recording *recording)
{
    for (size_t i = 0; i < pairs->count; i++) {
        if (assign(pairs, recording, i, 0, false) <= 0 ||
            assign(pairs, recording, i, 1, false) <= 0 ||
            check_expressions(&pairs->list[i], recording) != 0)
            return -1;
        pairs->list[i].name = name_of(&pairs->list[i]);
    }
    return 0;
}

/* ---- What the recording was made for. ---- */

static bool is_there(const struct pairs *pairs, const char *text)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->list[i].text && strcmp(pairs->list[i].text, text) == 0)
            return true;
    return false;
}

static void remove_last(struct pairs *pairs)
{
    size_t last = pairs->count - 1;
    for (size_t i = 0; i < pairs->trace_count; i++)
        for (size_t id = 0; id < pairs->class_limits[i]; id++)
            if (pairs->roles[i][id].kind != ROLE_NONE && pairs->roles[i][id].pair == last)
                pairs->roles[i][id].kind = ROLE_NONE;
    free_pair(&pairs->list[last]);
    pairs->count--;
}

/* TEXT comes from a file. A pair whose probes were not hit is nothing to speak of. */
static void take_noted(struct pairs *pairs, const struct recording *recording, const char *text)
{
    size_t i = pairs->count;
    struct pair *pair = add(pairs);
    const char *problem = parse(pair, text);
    if (!problem && parse_expressions(pair, true) == 0 &&
        filter_knows(&pair->predicate[0], recording) &&
        filter_knows(&pair->predicate[1], recording) && filter_knows(&pair->match, recording)) {
        if (assign(pairs, recording, i, 0, true) > 0 && assign(pairs, recording, i, 1, true) > 0) {
            pairs->list[i].name = name_of(&pairs->list[i]);
            return;
        }
    } else {
        diag_warn(&(struct diag_place){.file = text},
                  "this pair of sdt record --when cannot be evaluated here: it is left out", NULL);
    }
    remove_last(pairs);
}

/* ---- What the names say. ---- */

static bool has_role(const struct pairs *pairs, const struct recording *recording,
                     const struct trace_probe *probe)
{
    for (size_t i = 0; i < recording->trace_count; i++)
        for (size_t id = 0; id < recording->traces[i].class_limit; id++) {
            const struct event_class *class = recording->traces[i].classes[id];
            if (class && &recording->probes[class->probe] == probe &&
                pairs->roles[i][id].kind != ROLE_NONE)
                return true;
        }
    return false;
}

static void give_role(struct pairs *pairs, const struct recording *recording,
                      const struct trace_probe *probe, struct role role)
{
    for (size_t i = 0; i < recording->trace_count; i++)
        for (size_t id = 0; id < recording->traces[i].class_limit; id++) {
            const struct event_class *class = recording->traces[i].classes[id];
            if (class && &recording->probes[class->probe] == probe)
                pairs->roles[i][id] = role;
        }
}

static int compare_probes(const void *a, const void *b)
{
    return trace_compare_probes(a, b);
}

/* The probe that ends what BEGIN begins, if it has no role yet; NULL if there is none. */
static const struct trace_probe *find_end(const struct pairs *pairs,
                                          const struct recording *recording,
                                          const struct trace_probe *begin)
{
    const struct trace_probe *end = NULL;
    char *name;
    for (size_t n = 0; !end && (name = pair_names_end_of(begin->name, n)); n++) {
        struct trace_probe key = {
            .provider = begin->provider, .name = name, .function = begin->function};
        end = recording->probe_count ? bsearch(&key, recording->probes, recording->probe_count,
                                               sizeof key, compare_probes)
                                     : NULL;
        if (end && has_role(pairs, recording, end))
            end = NULL;
        free(name);
    }
    return end;
}

static void pair_by_name(struct pairs *pairs, const struct recording *recording,
                         const struct trace_probe *begin)
{
    const struct trace_probe *end =
        has_role(pairs, recording, begin) ? NULL : find_end(pairs, recording, begin);
    size_t stem;
    if (!end || !pair_names_match(begin->name, end->name, &stem))
        return;
    struct pair *pair = add(pairs);
    pair->begin = memory_format("%s", begin->label);
    pair->end = memory_format("%s", end->label);
    pair->name = stem ? name_of(pair) : NULL;
    give_role(pairs, recording, begin, (struct role){ROLE_BEGIN, pairs->count - 1});
    give_role(pairs, recording, end, (struct role){ROLE_END, pairs->count - 1});
}

struct calling {
    struct pairs *pairs;
    const struct recording *recording;
    const enum role_kind *kinds; /* of each probe */
};

/* CLASS begins or ends a call, unless it has a role already. */
static size_t take_call(void *data, size_t trace, const struct event_class *class)
{
    const struct calling *calling = data;
    struct role *role = &calling->pairs->roles[trace][class->id];
    if (role->kind == ROLE_NONE)
        *role = (struct role){calling->kinds[class->probe], calling->pairs->count - 1};
    return 0;
}

/* One pair for the calls of all functions whose entry and return are there: they may be many. */
static void pair_calls(struct pairs *pairs, const struct recording *recording)
{
    enum role_kind *kinds = memory_zeroed(recording->probe_count + 1, sizeof *kinds);
    bool has_any = false;
    for (size_t i = 0; i < recording->probe_count; i++) {
        const struct trace_probe *entry = &recording->probes[i], *end;
        struct trace_probe key = *entry;
        key.name = SDT_FUNCTION_RETURN;
        end = entry->function && !strcmp(entry->name, SDT_FUNCTION_ENTRY)
                  ? bsearch(&key, recording->probes, recording->probe_count, sizeof key,
                            compare_probes)
                  : NULL;
        if (!end)
            continue;
        kinds[i] = ROLE_BEGIN;
        kinds[end - recording->probes] = ROLE_END;
        has_any = true;
    }
    if (has_any) {
        struct pair *pair = add(pairs);
        pair->begin = memory_format(SDT_FUNCTION_PROVIDER ":" SDT_FUNCTION_ENTRY);
        pair->end = memory_format(SDT_FUNCTION_PROVIDER ":" SDT_FUNCTION_RETURN);
        pair->is_functions = true;
        struct calling calling = {pairs, recording, kinds};
        each_class(recording, &calling, take_call);
    }
    free(kinds);
}

const char *pairs_slice_name(const struct pair *pair, const struct event_class *class)
{
    return pair->name         ? pair->name
           : class->title     ? class->title
           : *class->function ? class->function
                              : class->provider;
}

/* ---- What cannot be told. ---- */

/* An argument that BEGIN and END have, so that they can be paired by it; NULL: there is none. */
static const char *find_common(const struct trace_probe *begin, const struct trace_probe *end)
{
    for (size_t i = 0; begin && end && i < begin->first->field_count; i++)
        for (size_t k = 0; k < end->first->field_count; k++)
            if (!strcmp(begin->first->fields[i].name, end->first->fields[k].name) &&
                begin->first->fields[i].kind != FIELD_DOUBLE &&
                begin->first->fields[i].kind != FIELD_FLOAT)
                return begin->first->fields[i].name;
    return NULL;
}

static const struct trace_probe *find_label(const struct recording *recording, const char *label)
{
    for (size_t i = 0; i < recording->probe_count; i++)
        if (!strcmp(recording->probes[i].label, label))
            return &recording->probes[i];
    return NULL;
}

char *pairs_advice(const struct pair *pair, const struct recording *recording)
{
    const char *common =
        find_common(find_label(recording, pair->begin), find_label(recording, pair->end));
    if (pair->is_functions)
        return memory_format("these calls ended by longjmp() or an exception, or their returns "
                             "were not recorded");
    if (pair->clauses.match)
        return memory_format("they have the same value of '%s': choose one that differs",
                             pair->clauses.match);
    return memory_format("they are paired by thread; if one thread has several open at once, pair "
                         "them by a value that both probes have: --pair='%s %s match %s'",
                         pair->begin, pair->end, common ? common : "EXPRESSION");
}

void pairs_warn(const struct pairs *pairs, const struct recording *recording)
{
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs->list[i];
        if (!pair->overlaps)
            continue;
        char *advice = pairs_advice(pair, recording);
        char *text =
            memory_format("%llu of %llu hits began what had not ended",
                          (unsigned long long)pair->overlaps, (unsigned long long)pair->begins);
        diag_warn(&(struct diag_place){.file = pair->begin}, text, advice);
        free(text);
        free(advice);
    }
}

int pairs_resolve(struct pairs *pairs, const struct recording *recording)
{
    make_roles(pairs, recording);
    if (resolve_users(pairs, recording) != 0)
        return -1;
    for (size_t i = 0; i < recording->trace_count; i++)
        for (size_t k = 0; k < recording->traces[i].pair_count; k++)
            if (!is_there(pairs, recording->traces[i].pairs[k]))
                take_noted(pairs, recording, recording->traces[i].pairs[k]);
    pair_calls(pairs, recording);
    for (size_t i = 0; i < recording->probe_count; i++)
        if (!recording->probes[i].function)
            pair_by_name(pairs, recording, &recording->probes[i]);
    return 0;
}
