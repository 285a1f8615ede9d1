/* SPDX-License-Identifier: BSD-2-Clause */
/* See measure.h. */
#include "measure.h"

#include "base/diag.h"
#include "base/escape.h"
#include "command/command.h"
#include "compile/compile.h"
#include "compile/described_sites.h"
#include "compile/live_enums.h"
#include "compile/live_probes.h"
#include "compile/site_types.h"
#include "print/label.h"
#include "target/patterns.h"

#include <ctype.h>
#include <errno.h>
#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>

struct measure_probe {
    struct attached *process;
    char *pattern;  /* what was enabled */
    uint64_t id;    /* there */
    unsigned which; /* pattern of the request: 1 is where a latency ends */
};

/* ---- The request. ---- */

bool measure_take_linear(struct measure_request *request, const char *text)
{
    char *end;
    request->low = strtoll(text, &end, 0);
    bool is_right = end != text && *end == ':' && isdigit((unsigned char)end[1]);
    request->step = is_right ? strtoull(end + 1, &end, 0) : 0;
    return is_right && !*end && request->step > 0;
}

/* Half an interval, so that each has one that is new if there were hits to the end. */
unsigned measure_exemplar_period(double interval, bool is_scraped)
{
    enum { OF_SCRAPES = 10 };
    unsigned least = is_scraped ? OF_SCRAPES : 1;
    double half = interval > 0 && interval < UINT16_MAX ? interval / 2 : UINT16_MAX;
    return half > least ? (unsigned)half : least;
}

/* ---- Programs. ---- */

static bool is_latency(const struct measure *measure)
{
    return measure->request->action == LIVE_STOP;
}

/* Whether the function is the key of SITE's probe, which nobody has asked for. */
static bool is_by_function(const struct measure_request *request, const struct live_site *site)
{
    return request->by_function && !request->clauses.by[0] &&
           !strcmp(site->provider, SDT_FUNCTION_PROVIDER);
}

static struct compile_request wanted(const struct measure *measure, unsigned which,
                                     const struct site_arguments *arguments,
                                     const struct site_types *types)
{
    const struct measure_request *request = measure->request;
    const struct clauses *clauses = &request->clauses;
    struct compile_request wanted = {.action = request->action,
                                     .predicate = clauses->predicate[which],
                                     .value = clauses->value,
                                     .key = {clauses->by[0], clauses->by[1]},
                                     .arguments = arguments->list,
                                     .argument_count = arguments->count,
                                     .types = types,
                                     .may_lack = arguments->may_lack,
                                     .keeps = request->outliers > 0 || request->exemplars > 0,
                                     .label = (uint16_t)measure->program_count};
    if (is_by_function(request, types->site))
        wanted.key[0] = "function";
    if (is_latency(measure)) {
        wanted.action = which == 0 ? LIVE_START : LIVE_STOP;
        wanted.value = clauses->match;
        if (which != measure->key_side)
            wanted.key[0] = wanted.key[1] = NULL;
    }
    return wanted;
}

/* ARGUMENTS, which stay as long as MEASURE: tables know the names of their values. */
static struct site_arguments *keep(struct measure *measure, struct site_arguments *arguments)
{
    arguments->next = measure->arguments;
    measure->arguments = arguments;
    return arguments;
}

/* Compile for a site with ARGUMENTS and TYPES. ERROR: what is wrong is not reported, but there. */
static int compile_site(const struct measure *measure, unsigned which,
                        const struct site_arguments *arguments, const struct site_types *types,
                        struct compiled *compiled, struct compile_error *error)
{
    struct compile_request request = wanted(measure, which, arguments, types);
    return error ? compile_program(&request, compiled, error)
                 : compile_or_report(&request, compiled);
}

/* ---- Tables. ---- */

/*
 * Room for the exemplars of SECONDS, a few for each key. Where the program passes the ids itself,
 * the thread need not have any.
 */
static void want_exemplars(struct live_table_spec *spec, unsigned seconds,
                           const struct site_arguments *arguments)
{
    enum { RANGES = 64, FEW = 4, MOST = 1024 };
    uint32_t keys = spec->keys ? spec->keys : 1, wanted = keys < MOST / FEW ? FEW * keys : MOST;
    spec->exemplars = wanted > RANGES ? wanted : RANGES;
    spec->period = (uint16_t)(seconds < UINT16_MAX ? seconds : UINT16_MAX);
    for (size_t i = 0; i < arguments->count; i++)
        if (arguments->list[i].name && !strcmp(arguments->list[i].name, "trace_id"))
            spec->takes_bare = 1;
}

/* The table for COMPILED, which of a latency is the program that has the key. */
static struct live_table_spec spec_for(const struct measure *measure,
                                       const struct compiled *compiled,
                                       const struct site_arguments *arguments)
{
    const struct measure_request *request = measure->request;
    struct live_table_spec spec = compile_table_spec(compiled);
    spec.keys = spec.keys && request->keys ? request->keys : spec.keys;
    spec.low = request->low;
    spec.step = request->step;
    if (request->outliers)
        spec.outliers = (uint8_t)(request->outliers + LIVE_SPARE);
    if (request->exemplars)
        want_exemplars(&spec, request->exemplars, arguments);
    return spec;
}

/* The table for a probe; one that is new has no parts yet. */
static struct measure_table *table_for(struct measure *measure, const struct live_site *site,
                                       const struct compiled *compiled,
                                       const struct site_arguments *arguments)
{
    for (size_t i = 0; i < measure->count; i++)
        if (is_latency(measure) || (!strcmp(measure->tables[i].provider, site->provider) &&
                                    !strcmp(measure->tables[i].name, site->name)))
            return &measure->tables[i];
    struct measure_table table = {.provider = memory_format("%s", site->provider),
                                  .name = memory_format("%s", site->name),
                                  .look = {compiled->look[0], compiled->look[1]},
                                  .spec = spec_for(measure, compiled, arguments)};
    measure->tables = memory_resize(measure->tables, measure->count + 1, sizeof *measure->tables);
    measure->tables[measure->count] = table;
    return &measure->tables[measure->count++];
}

/* ---- Probes. ---- */

static bool is_enabled(const struct measure *measure, const struct attached *process,
                       const char *pattern, unsigned which)
{
    for (size_t i = 0; i < measure->probe_count; i++)
        if (measure->probes[i].process == process && measure->probes[i].which == which &&
            !strcmp(measure->probes[i].pattern, pattern))
            return true;
    return false;
}

static int ask_to_enable(const struct measure *measure, struct attached *process,
                         const char *pattern, uint64_t table, const struct compiled *compiled,
                         uint64_t *id)
{
    struct attach_request request = {.op = LIVE_ENABLE,
                                     .text = pattern,
                                     .argument = table,
                                     .flags = measure->target->follows ? LIVE_FOLLOW : 0,
                                     .program = compiled->words,
                                     .program_size = compiled_program(compiled)->size};
    if (attach_send(process, &request) != 0)
        return STATUS_FAILED;
    if (request.result <= 0)
        return target_refused_by(process, pattern, &request);
    *id = (uint64_t)request.result;
    return STATUS_DONE;
}

/* What is kept of arguments; it may differ where what is asked does not. */
static struct live_program *program_of(struct compiled *compiled)
{
    return (struct live_program *)compiled->words;
}

static bool is_same_program(struct compiled *a, struct compiled *b)
{
    uint64_t kept = program_of(b)->kept;
    program_of(b)->kept = program_of(a)->kept;
    bool is_same = program_of(a)->size == program_of(b)->size &&
                   memcmp(a->words, b->words, program_of(a)->size) == 0;
    program_of(b)->kept = kept;
    return is_same;
}

static bool is_same_at(const struct measure *measure, unsigned which,
                       const struct site_arguments *arguments, const struct site_types *types,
                       struct compiled *compiled)
{
    struct compiled again;
    struct compile_error error;
    return compile_site(measure, which, arguments, types, &again, &error) == 0 &&
           is_same_program(compiled, &again);
}

/* Say so, if it is argument WORST that differs; 0: it is more than that. */
static int refuse_other(const struct measure *measure, unsigned which, const char *probe,
                        size_t worst, struct site_arguments *arguments,
                        const struct site_types *types, const struct site_arguments *all,
                        struct compiled *compiled)
{
    if (worst == SIZE_MAX)
        return 0;
    const char *type = arguments->list[worst].type;
    arguments->list[worst].type = all->list[worst].type;
    if (!is_same_at(measure, which, arguments, types, compiled))
        return 0;
    return diag_error("%s passes '%s' as %s at one site and as %s at another, which no integer of "
                      "64 bits holds: choose one by PROVIDER:MODULE:FUNCTION:NAME",
                      probe, all->list[worst].name, all->list[worst].type, type);
}

static int refuse_differing(const char *probe, const struct live_site *site,
                            const struct live_site *other)
{
    char *one = site_arguments_short(site->arguments);
    char *two = site_arguments_short(other->arguments);
    int result = diag_error("%s passes '%s' at one site and '%s' at another: choose one by "
                            "PROVIDER:MODULE:FUNCTION:NAME",
                            probe, one, two);
    free(one);
    free(two);
    return result;
}

/* Whether COMPILED, for ALL sites, is right for OTHER, one of them. */
static int check_other(struct measure *measure, unsigned which, const struct live_site *site,
                       const struct site_types *other_types, const struct site_arguments *all,
                       struct compiled *compiled)
{
    const struct live_site *other = other_types->site;
    struct site_arguments *arguments = keep(measure, described_sites_arguments(other));
    size_t worst = site_arguments_widen(arguments, all);
    if (is_same_at(measure, which, arguments, other_types, compiled))
        return 0;
    char *probe = label_of(site->provider, site->name);
    int result = refuse_other(measure, which, probe, worst, arguments, other_types, all, compiled);
    if (result == 0)
        result = refuse_differing(probe, site, other);
    free(probe);
    return result;
}

/*
 * The sites of one probe may pass different arguments; what is asked must mean the same at all.
 * Then nothing is kept of what they pass.
 */
static int check_others(struct measure *measure, struct attached *process, unsigned which,
                        const struct live_sites *sites, size_t first,
                        const struct site_arguments *all, struct compiled *compiled)
{
    const struct live_site *site = &sites->site[first];
    for (size_t i = first + 1; i < sites->count; i++) {
        const struct site_types types = {process, &sites->site[i]};
        if (!live_site_is_other(site, types.site) &&
            !(compiled->has_members && live_site_is_same_probe(site, types.site)))
            continue;
        if (check_other(measure, which, site, &types, all, compiled) != 0)
            return -1;
        program_of(compiled)->kept &= ~LIVE_KEEPS;
    }
    return 0;
}

/* What was sent, for the labels of outliers. */
static void note_program(struct measure *measure, unsigned which, const struct live_site *site,
                         const struct site_arguments *arguments, const struct compiled *compiled)
{
    measure->programs =
        memory_resize(measure->programs, measure->program_count + 1, sizeof *measure->programs);
    measure->programs[measure->program_count++] =
        (struct outlier_probe){.provider = memory_format("%s", site->provider),
                               .name = memory_format("%s", site->name),
                               .arguments = arguments,
                               .kept = compiled_program(compiled)->kept,
                               .which = which};
}

/* Compile for the I-th site, and enable its probe by PATTERN. */
static int enable_site(struct measure *measure, struct attached *process, unsigned which,
                       const struct live_sites *sites, size_t i, const char *pattern, uint64_t *id)
{
    const struct live_site *site = &sites->site[i];
    struct compiled compiled;
    const struct site_arguments *arguments = keep(measure, live_site_arguments(sites, i));
    const struct site_types types = {process, site};
    if (compile_site(measure, which, arguments, &types, &compiled, NULL) != 0 ||
        check_others(measure, process, which, sites, i, arguments, &compiled) != 0)
        return STATUS_FAILED;
    if (arguments->may_lack)
        program_of(&compiled)->kept &= ~LIVE_KEEPS;
    struct measure_table *table = table_for(measure, site, &compiled, arguments);
    if (which == 0) {
        /* A latency is called by where it begins. */
        free(table->provider);
        free(table->name);
        table->provider = memory_format("%s", site->provider);
        table->name = memory_format("%s", site->name);
    }
    const struct measure_part *there = measure_part_for(table, process);
    if (!there)
        return STATUS_FAILED;
    note_program(measure, which, site, arguments, &compiled);
    return ask_to_enable(measure, process, pattern, there->number, &compiled, id);
}

static int enable_probe(struct measure *measure, struct attached *process, unsigned which,
                        const char *part, const struct live_sites *sites, size_t i)
{
    const struct live_site *site = &sites->site[i];
    uint64_t id = 0;
    char *pattern = patterns_narrow(part, site->provider, site->name);
    int status = STATUS_DONE;
    if (!is_enabled(measure, process, pattern, which))
        status = enable_site(measure, process, which, sites, i, pattern, &id);
    if (status == STATUS_DONE && !is_enabled(measure, process, pattern, which)) {
        measure->probes =
            memory_resize(measure->probes, measure->probe_count + 1, sizeof *measure->probes);
        measure->probes[measure->probe_count++] =
            (struct measure_probe){process, pattern, id, which};
        return status;
    }
    free(pattern);
    return status;
}

struct enabling {
    struct measure *measure;
    struct attached *process;
    unsigned which;
};

static int visit_probe(void *data, const char *part, const struct live_sites *sites, size_t i)
{
    const struct enabling *enabling = data;
    return enable_probe(enabling->measure, enabling->process, enabling->which, part, sites, i);
}

static bool has_any(const struct measure *measure, unsigned which)
{
    size_t i = 0;
    while (i < measure->probe_count && measure->probes[i].which != which)
        i++;
    return i < measure->probe_count;
}

static int enable_pattern(struct measure *measure, struct attached *process, unsigned which)
{
    const char *wanted = measure->request->clauses.pattern[which];
    struct enabling enabling = {measure, process, which};
    bool found;
    int status = live_probes_each(process, wanted, visit_probe, &enabling, &found);
    if (status == STATUS_DONE && !found && !has_any(measure, which) &&
        !target_may_lack(measure->target, process)) {
        struct attach_request none = {.result = -ENOENT};
        status = target_refused_by(process, wanted, &none);
    }
    return status;
}

struct unknown_key {
    const char *text; /* NULL: all mean something */
    size_t offset;    /* up to which it means something */
};

/* The KEY that means nothing where a latency begins, or ends (WHICH). -1: after a message. */
static int find_unknown(struct measure *measure, struct attached *process, unsigned which,
                        struct unknown_key *key)
{
    struct live_sites sites;
    struct compiled compiled;
    struct compile_error error;
    const struct clauses *clauses = &measure->request->clauses;
    char *resolved;
    *key = (struct unknown_key){0};
    if (patterns_sites(process, clauses->pattern[which], &resolved, &sites) != 0)
        return -1;
    free(resolved);
    live_enums_add(process, &sites);
    measure->key_side = which;
    for (size_t i = 0; i < sites.count; i++) {
        const struct live_site *site = &sites.site[i];
        const struct site_types types = {process, site};
        if (!live_site_is_question(site) &&
            compile_site(measure, which, keep(measure, described_sites_arguments(site)), &types,
                         &compiled, &error) != 0 &&
            (error.text == clauses->by[0] || error.text == clauses->by[1]) &&
            !live_site_is_tail(&sites, i))
            *key = (struct unknown_key){error.text, error.offset};
    }
    live_sites_free(&sites);
    return 0;
}

/*
 * The keys of a latency are taken where it begins, if what they say is known there, else where it
 * ends. That side is enabled first, as its program says what the table is for.
 */
static int choose_side(struct measure *measure, struct attached *process)
{
    struct unknown_key at_begin, at_end;
    measure->key_side = 0;
    if (!measure->request->clauses.by[0])
        return 0;
    if (find_unknown(measure, process, 0, &at_begin) != 0)
        return -1;
    if (!at_begin.text || find_unknown(measure, process, 1, &at_end) != 0)
        return at_begin.text ? -1 : 0;
    if (at_end.text && at_end.text != at_begin.text)
        return diag_error(
            "'%s' is not known where it begins, and '%s' not where it ends: both keys "
            "must be known at one of them",
            at_begin.text, at_end.text);
    if (at_end.text && at_begin.offset >= at_end.offset)
        measure->key_side = 0; /* which then says why */
    return 0;
}

/* One of the two was hit alone so far: that is no loss. Where it was the begin, IS_LATE, the next
 * one restarts it. */
static void note_start(struct measure_table *table, bool is_late)
{
    struct aggregate now;
    table->unmatched = table->restarted = 0;
    measure_read(&now, table);
    table->unmatched = now.unmatched;
    table->restarted = now.restarted + (is_late ? table->part_count : 0);
    aggregate_free(&now);
}

/* The end first, so that nothing begins without an end; but the side that has the key before the
 * other: its program says what the table is for. */
static unsigned first_side(const struct measure *measure)
{
    return !is_latency(measure) || !measure->request->clauses.by[0] ? is_latency(measure)
                                                                    : measure->key_side;
}

static int look_at(struct measure *measure, struct attached *process, uint64_t *seen)
{
    uint64_t generation = atomic_load(&process->page->generation);
    if (generation == *seen)
        return STATUS_DONE;
    if (is_latency(measure) && measure->count == 0 && choose_side(measure, process) != 0)
        return STATUS_FAILED;
    unsigned first = first_side(measure);
    size_t known = measure->probe_count;
    int status = enable_pattern(measure, process, first);
    if (status == STATUS_DONE && is_latency(measure))
        status = enable_pattern(measure, process, 1 - first);
    *seen = generation;
    if (status == STATUS_DONE && is_latency(measure) && measure->probe_count > known)
        note_start(&measure->tables[0], first == 0 && !measure->target->is_started);
    return status;
}

int measure_look(struct measure *measure)
{
    int status = STATUS_DONE;
    size_t count = target_count(measure->target);
    measure->generations = memory_resize(measure->generations, count, sizeof *measure->generations);
    for (; measure->process_count < count; measure->process_count++) {
        const struct attached *process = target_at(measure->target, measure->process_count);
        measure->generations[measure->process_count] =
            process->page ? atomic_load(&process->page->generation) - 1 : 0;
    }
    for (size_t i = 0; i < count && status == STATUS_DONE; i++) {
        struct attached *process = target_at(measure->target, i);
        if (!process->page || !attach_is_there(process))
            continue;
        status = look_at(measure, process, &measure->generations[i]);
        measure->failures += status != STATUS_DONE;
        status = target_settle(process, status);
    }
    return status;
}

int measure_begin(struct measure *measure, struct target *target,
                  const struct measure_request *request)
{
    *measure = (struct measure){.request = request, .target = target};
    int status = target_check_matches(target, request->clauses.pattern[0]);
    if (status == STATUS_DONE && is_latency(measure))
        status = target_check_matches(target, request->clauses.pattern[1]);
    return status == STATUS_DONE ? measure_look(measure) : status;
}

char *measure_how_to_pair(const struct measure *measure)
{
    const char *common = NULL;
    for (size_t i = 0; i < measure->program_count && !common; i++)
        for (size_t k = 0; k < measure->program_count && !common; k++)
            if (!measure->programs[i].which && measure->programs[k].which)
                common = site_arguments_common(measure->programs[i].arguments,
                                               measure->programs[k].arguments);
    return measure->request->clauses.match ? NULL : site_arguments_how_to_pair(common);
}

uint64_t measure_id(const struct measure *measure, size_t i)
{
    return measure->probes[i].id;
}

struct attached *measure_process(const struct measure *measure, size_t i)
{
    return measure->probes[i].process;
}

struct outliers measure_outliers(const struct measure *measure, const struct measure_table *table)
{
    struct outliers outliers = {.count = 0};
    for (size_t i = 0; i < table->part_count; i++)
        outliers_add(&outliers, &table->parts[i].view, measure->request->outliers);
    if (!outliers.list)
        outliers.list = memory_zeroed(1, sizeof *outliers.list);
    outliers.probes = measure->programs;
    outliers.probe_count = measure->program_count;
    return outliers;
}

void measure_look_for_exemplars(const struct measure *measure, struct measure_table *table)
{
    measure_read_exemplars(table, measure->programs, measure->program_count);
}

void measure_free(struct measure *measure)
{
    for (size_t i = 0; i < measure->count; i++) {
        struct measure_table *table = &measure->tables[i];
        for (size_t k = 0; k < table->part_count; k++)
            measure_part_end(&table->parts[k]);
        free(table->parts);
        aggregate_free(&table->last);
        free(table->last_outliers.list);
        exemplars_free(&table->exemplars);
        free(table->provider);
        free(table->name);
    }
    for (size_t i = 0; i < measure->probe_count; i++)
        free(measure->probes[i].pattern);
    for (struct site_arguments *next; measure->arguments; measure->arguments = next) {
        next = measure->arguments->next;
        site_arguments_free(measure->arguments);
    }
    for (size_t i = 0; i < measure->program_count; i++) {
        free(measure->programs[i].provider);
        free(measure->programs[i].name);
    }
    free(measure->programs);
    free(measure->probes);
    free(measure->tables);
    free(measure->generations);
    *measure = (struct measure){0};
}
