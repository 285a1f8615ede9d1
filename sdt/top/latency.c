/* SPDX-License-Identifier: BSD-2-Clause */
/* The latencies of sdt top: from a probe NAME-begin to NAME-end, and so on (pairs.h). */
#include "latency.h"

#include "base/memory.h"
#include "command/command.h"
#include "measure/measure.h"
#include "trace/label.h"
#include "trace/pairs.h"

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

/* Measure from probe NAME to probe END. -1: after a message. */
static int add_pair(struct top *top, const char *provider, const char *name, const char *end)
{
    struct top_pair *pair = memory_zeroed(1, sizeof *pair);
    pair->label = label_of(provider, name);
    pair->request.action = LIVE_STOP;
    pair->request.clauses.pattern[0] = memory_format("%s:%s", provider, name);
    pair->request.clauses.pattern[1] = memory_format("%s:%s", provider, end);
    if (measure_begin(&pair->measure, &top->target, &pair->request) != STATUS_DONE) {
        free_pair(pair);
        return -1;
    }
    top->pairs[top->pair_count++] = pair;
    return 0;
}

/* The probe that ends what ROW's begins, the caller's; NULL: none does. */
static char *find_end(const struct top *top, const struct count_row *row)
{
    char *end;
    for (size_t n = 0; (end = pairs_end_of(row->name, n)); n++) {
        if (has_probe(top, row->provider, end))
            break;
        free(end);
    }
    return end;
}

static int begin_latencies(struct top *top)
{
    int result = 0;
    for (size_t i = 0; i < top->rows.count && result == 0 && top->pair_count < TOP_MAX_PAIRS; i++) {
        const struct count_row *row = &top->rows.row[i];
        char *end = find_end(top, row);
        if (end)
            result = add_pair(top, row->provider, row->name, end);
        free(end);
    }
    if (result == 0)
        top_note(top, top->pair_count ? "latencies are measured"
                                      : "no two probes are called as NAME-begin and NAME-end are");
    return result;
}

static int end_latency(const struct measure *measure)
{
    for (size_t i = 0; i < measure->probe_count; i++) {
        struct question question = {.op = LIVE_DISABLE, .argument = measure_id(measure, i)};
        struct attached *process = measure_process(measure, i);
        if (process->page && attach_is_there(process) && attach_ask(process, &question) != 0)
            return -1;
    }
    return 0;
}

static int end_latencies(struct top *top)
{
    int result = 0;
    for (size_t i = 0; i < top->pair_count; i++) {
        struct top_pair *pair = top->pairs[i];
        top_row_of(&top->model, pair->label)->latency = (struct top_latency){.is_known = false};
        if (result == 0)
            result = end_latency(&pair->measure);
        free_pair(pair);
    }
    top->pair_count = 0;
    return result;
}

void top_show_latencies(struct top *top)
{
    for (size_t i = 0; i < top->pair_count; i++) {
        const struct top_pair *pair = top->pairs[i];
        struct aggregate all;
        if (pair->measure.count == 0)
            continue;
        measure_read(&all, &pair->measure.tables[0]);
        struct top_latency *latency = &top_row_of(&top->model, pair->label)->latency;
        latency->is_known = all.count && all.rows[0].sums.count;
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
    for (size_t i = 0; i < top->pair_count; i++)
        free_pair(top->pairs[i]);
    top->pair_count = 0;
}
