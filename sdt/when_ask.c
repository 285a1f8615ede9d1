/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See when.h. A latency takes a table of what was started, a program where it begins, and where it
 * ends one that is a condition: longer than the limit.
 */
#include "when.h"

#include "command.h"
#include "compile_table.h"
#include "diag.h"
#include "live_probes.h"
#include "mark.h"
#include "memory.h"
#include "patterns.h"
#include "site_arguments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- A latency. ---- */

/* The process's table, once; a status. */
static int make_table(struct when *when, const struct compiled *compiled)
{
    struct live_table_spec spec = compile_table(compiled);
    struct question question = {
        .op = LIVE_TABLE, .program = &spec, .program_size = sizeof spec, .file = -1};
    if (when->table)
        return STATUS_DONE;
    if (attach_ask(&when->target->process, &question) != 0)
        return STATUS_FAILED;
    if (question.file >= 0)
        close(question.file);
    if (question.result <= 0)
        return target_refused(when->target, when->clauses.pattern[0], &question);
    when->table = (uint64_t)question.result;
    return STATUS_DONE;
}

/* Where it begins. */
static int enable_start(const struct when *when, const char *pattern,
                        const struct compiled *compiled)
{
    struct question question = {.op = LIVE_ENABLE,
                                .text = pattern,
                                .argument = when->table,
                                .program = compiled->words,
                                .program_size = compiled_program(compiled)->size};
    if (attach_ask(&when->target->process, &question) != 0)
        return STATUS_FAILED;
    return question.result > 0 ? STATUS_DONE : target_refused(when->target, pattern, &question);
}

/* Where it ends: that is recorded, too. */
static int enable_stop(const struct when *when, const char *pattern,
                       const struct compiled *compiled)
{
    int status = record_probes_ask(&when->target->process, pattern, NULL, 0, 0, 0);
    return status != STATUS_DONE ? status
                                 : record_probes_ask(&when->target->process, pattern, compiled,
                                                     LIVE_SNAPSHOT, when->table, when->limit);
}

static bool is_enabled(const struct when *when, unsigned end, const char *pattern)
{
    for (size_t i = 0; i < when->count[end]; i++)
        if (!strcmp(when->enabled[end][i], pattern))
            return true;
    return false;
}

static int compile_end(const struct when *when, unsigned end, const struct live_site *site,
                       struct compiled *compiled)
{
    struct site_arguments *arguments = site_arguments_read(site->arguments);
    struct compile_request request = {.action = end == 0 ? LIVE_START : LIVE_STOP,
                                      .predicate = when->clauses.predicate[end],
                                      .key = {when->match},
                                      .arguments = arguments->list,
                                      .argument_count = arguments->count};
    int result = compile_or_report(&request, compiled);
    site_arguments_free(arguments);
    return result;
}

struct enabling {
    struct when *when;
    unsigned end;
};

static int visit(void *data, const char *part, const struct live_sites *sites, size_t i)
{
    const struct enabling *enabling = data;
    struct when *when = enabling->when;
    unsigned end = enabling->end;
    const struct live_site *site = &sites->site[i];
    char *pattern = patterns_narrow(part, site->provider, site->name);
    struct compiled compiled;
    if (is_enabled(when, end, pattern)) {
        free(pattern);
        return STATUS_DONE;
    }
    int status =
        compile_end(when, end, site, &compiled) == 0 ? make_table(when, &compiled) : STATUS_FAILED;
    if (status == STATUS_DONE)
        status = end == 0 ? enable_start(when, pattern, &compiled)
                          : enable_stop(when, pattern, &compiled);
    when->enabled[end] =
        memory_resize(when->enabled[end], when->count[end] + 1, sizeof *when->enabled[end]);
    when->enabled[end][when->count[end]++] = pattern;
    return status;
}

static int look_at_end(struct when *when, unsigned end)
{
    struct enabling enabling = {when, end};
    const char *pattern = when->clauses.pattern[end];
    bool found;
    int status = live_probes_each(&when->target->process, pattern, visit, &enabling, &found);
    struct question none = {.result = -ENOENT};
    if (status == STATUS_DONE && !when->count[end] && !when->target->is_started)
        status = target_refused(when->target, pattern, &none);
    return status;
}

/* The end first: what is started before anybody waits for it would be of no use. */
static int look_at_latency(struct when *when)
{
    uint64_t generation = atomic_load(&when->target->process.page->generation);
    if (when->has_looked && generation == when->generation)
        return STATUS_DONE;
    when->has_looked = true;
    when->generation = generation;
    int status = look_at_end(when, 1);
    return status == STATUS_DONE ? look_at_end(when, 0) : status;
}

/* ---- Both. ---- */

int when_look(struct when *when, struct target *target)
{
    when->target = target;
    if (when->is_latency)
        return look_at_latency(when);
    when->probes.target = target;
    when->probes.process = &target->process;
    when->probes.pattern = when->clauses.pattern[0];
    when->probes.predicate = when->clauses.predicate[0];
    when->probes.is_trigger = true;
    return record_probes_look(&when->probes);
}
