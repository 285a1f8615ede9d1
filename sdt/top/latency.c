/* SPDX-License-Identifier: BSD-2-Clause */
/* The latencies of sdt top: from a probe NAME-begin to NAME-end, and so on (pair_names.h). */
#include "latency.h"

#include "base/memory.h"
#include "command/command.h"
#include "measure/measure.h"
#include "print/label.h"
#include "trace/pair_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A latency that is measured. */
struct top_pair {
    char *label; /* of the row that it is shown in: where it begins */
    struct measure_request request;
    struct measure measure;
};

static bool has_probe(const struct top *top, const char *provider, const char *name)
{
    for (size_t i = 0; i < top->rows.count; i++)
        if (!strcmp(top->rows.row[i].provider, provider) && !strcmp(top->rows.row[i].name, name))
            return true;
    return false;
}

static void free_pair(struct top_pair *pair)
{
    measure_free(&pair->measure);
    clauses_free(&pair->request.clauses);
    free(pair->label);
    free(pair);
}

/* Measure what CLAUSES say, which are taken over, and show it in the row of LABEL. -1: after a
 * message. */
static int add_pair(struct top *top, const char *label, const struct clauses *clauses)
{
    struct top_pair *pair = memory_zeroed(1, sizeof *pair);
    pair->label = memory_format("%s", label);
    pair->request.action = LIVE_STOP;
    pair->request.clauses = *clauses;
    if (measure_begin(&pair->measure, &top->target, &pair->request) != STATUS_DONE) {
        free_pair(pair);
        return -1;
    }
    top->pairs[top->pair_count++] = pair;
    return 0;
}

/* ---- Those of --pair. ---- */

int top_add_pair(struct top *top, const char *text)
{
    struct clauses clauses;
    const char *problem = clauses_parse_text(&clauses, clauses_pair, text);
    if (!problem && clauses.by[0])
        problem = "a pair has no 'by'";
    if (!problem && top->wanted_count == TOP_MAX_PAIRS)
        problem = "too many pairs";
    if (problem) {
        clauses_free(&clauses);
        return command_wrong("top", problem);
    }
    top->wanted = memory_resize(top->wanted, top->wanted_count + 1, sizeof *top->wanted);
    top->wanted[top->wanted_count++] = clauses;
    return STATUS_DONE;
}

static char *copy_of(const char *text)
{
    return text ? memory_format("%s", text) : NULL;
}

/* The row of a pair is that of the probe where it begins, which is known once it is enabled. */
static int begin_wanted(struct top *top)
{
    int result = 0;
    for (size_t i = 0; i < top->wanted_count && result == 0; i++) {
        const struct clauses *from = &top->wanted[i];
        struct clauses clauses = {.match = copy_of(from->match)};
        for (unsigned end = 0; end < 2; end++) {
            clauses.pattern[end] = copy_of(from->pattern[end]);
            clauses.predicate[end] = copy_of(from->predicate[end]);
        }
        result = add_pair(top, "", &clauses);
    }
    return result;
}

static const char *label_of_pair(struct top_pair *pair)
{
    const struct measure *measure = &pair->measure;
    if (!*pair->label && measure->count) {
        free(pair->label);
        pair->label = label_of(measure->tables[0].provider, measure->tables[0].name);
    }
    return pair->label;
}

/* ---- Those that the names say. ---- */

static bool is_measured(struct top *top, const char *label)
{
    for (size_t i = 0; i < top->pair_count; i++)
        if (!strcmp(label_of_pair(top->pairs[i]), label))
            return true;
    return false;
}

/* The probe that ends what ROW's begins, the caller's; NULL: none does. */
static char *find_end(const struct top *top, const struct count_row *row)
{
    char *end;
    for (size_t n = 0; (end = pair_names_end_of(row->name, n)); n++) {
        if (has_probe(top, row->provider, end))
            break;
        free(end);
    }
    return end;
}

/* Words alone, such as entry and return, are a pair in each function (sdt report shows these): here
 * there is one row for all. *HAS_SKIPPED: there are several. */
static int begin_named(struct top *top, const struct count_row *row, bool *has_skipped)
{
    char *end = find_end(top, row), *label = label_of(row->provider, row->name);
    size_t stem = 0;
    int result = 0;
    if (end && !is_measured(top, label)) {
        bool has_stem = pair_names_match(row->name, end, &stem) && stem;
        const struct top_switch *found = top_switch_of(top, label);
        if (!has_stem && !(found && found->function)) { /* not all sites are in one function */
            *has_skipped = true;
        } else {
            struct clauses clauses = {
                .pattern = {memory_format("%s", label), label_of(row->provider, end)}};
            result = add_pair(top, label, &clauses);
        }
    }
    free(end);
    free(label);
    return result;
}

static int begin_latencies(struct top *top)
{
    bool has_skipped = false;
    int result = begin_wanted(top);
    for (size_t i = 0; i < top->rows.count && result == 0 && top->pair_count < TOP_MAX_PAIRS; i++)
        result = begin_named(top, &top->rows.row[i], &has_skipped);
    if (result == 0)
        top_note(top, has_skipped ? "latencies are measured; of pairs in several functions: sdt lat"
                      : top->pair_count
                          ? "latencies are measured"
                          : "no two probes are called as NAME-begin and NAME-end are: see --pair");
    return result;
}

static int end_latency(const struct measure *measure)
{
    for (size_t i = 0; i < measure->probe_count; i++) {
        struct attach_request request = {.op = LIVE_DISABLE, .argument = measure_id(measure, i)};
        struct attached *process = measure_process(measure, i);
        if (process->page && attach_is_there(process) && attach_send(process, &request) != 0)
            return -1;
    }
    return 0;
}

static int end_latencies(struct top *top)
{
    int result = 0;
    for (size_t i = 0; i < top->pair_count; i++) {
        struct top_pair *pair = top->pairs[i];
        if (*label_of_pair(pair))
            top_row_of(&top->model, pair->label)->latency = (struct top_latency){.is_known = false};
        if (result == 0)
            result = end_latency(&pair->measure);
        free_pair(pair);
    }
    top->pair_count = 0;
    top->doubt[0] = '\0';
    return result;
}

/* Which end belongs to which begin is unknown. */
static void doubt(struct top *top, struct top_pair *pair, uint64_t number)
{
    char *advice = measure_how_to_pair(&pair->measure);
    const char *match = advice ? strstr(advice, ": match ") : NULL;
    const char *const *patterns = (const char *const *)pair->request.clauses.pattern;
    if (match)
        snprintf(top->doubt, sizeof top->doubt,
                 "~ %s: %llu hits began what had not ended: --pair='%s %s%s'", pair->label,
                 (unsigned long long)number, patterns[0], patterns[1], match + 1);
    else
        snprintf(top->doubt, sizeof top->doubt, "~ %s: %llu hits began what had not ended",
                 pair->label, (unsigned long long)number);
    free(advice);
}

void top_show_latencies(struct top *top)
{
    for (size_t i = 0; i < top->pair_count; i++) {
        struct top_pair *pair = top->pairs[i];
        struct aggregate all;
        if (pair->measure.count == 0)
            continue;
        measure_read(&all, &pair->measure.tables[0]);
        struct top_latency *latency = &top_row_of(&top->model, label_of_pair(pair))->latency;
        latency->is_known = all.count && all.rows[0].sums.count;
        latency->overlaps = all.restarted > 0;
        if (latency->overlaps)
            doubt(top, pair, all.restarted);
        if (latency->is_known) {
            latency->p50 = aggregate_double(aggregate_percentile(&all, &all.rows[0], 0.5));
            latency->p99 = aggregate_double(aggregate_percentile(&all, &all.rows[0], 0.99));
        }
        aggregate_free(&all);
    }
}

int top_switch_latencies(struct top *top)
{
    return top->pair_count ? end_latencies(top) : begin_latencies(top);
}

void top_free_latencies(struct top *top)
{
    for (size_t i = 0; i < top->wanted_count; i++)
        clauses_free(&top->wanted[i]);
    free(top->wanted);
    top->wanted = NULL;
    top->wanted_count = 0;
    for (size_t i = 0; i < top->pair_count; i++)
        free_pair(top->pairs[i]);
    top->pair_count = 0;
}
