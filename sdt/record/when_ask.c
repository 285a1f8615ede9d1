/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See when.h. A latency takes a table of started measurements, a program at its begin, and at its
 * end a program that is a condition: longer than the limit.
 */
#include "when.h"

#include "base/diag.h"
#include "base/memory.h"
#include "command/command.h"
#include "command/mark.h"
#include "compile/compile.h"
#include "compile/described_sites.h"
#include "compile/live_probes.h"
#include "compile/site_types.h"
#include "print/label.h"
#include "target/patterns.h"

#include <errno.h>
#include <exchange/table.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- A latency. ---- */

/* The process's table, once; a status. */
static int make_table(struct when_asked *asked, const struct compiled *compiled)
{
    struct live_table_spec spec = compile_table_spec(compiled);
    struct attach_request request = {
        .op = LIVE_TABLE, .program = &spec, .program_size = sizeof spec, .file = -1};
    if (asked->table)
        return STATUS_DONE;
    if (attach_send(asked->process, &request) != 0)
        return STATUS_FAILED;
    if (request.result <= 0 && request.file >= 0)
        close(request.file);
    if (request.result <= 0)
        return target_refused_by(asked->process, asked->when->clauses.pattern[0], &request);
    asked->file = request.file;
    asked->table = (uint64_t)request.result;
    return STATUS_DONE;
}

static uint32_t follow_flag(const struct when_asked *asked)
{
    return asked->target->follows ? LIVE_FOLLOW : 0;
}

/* Where it begins, which is recorded as well. */
static int enable_start(const struct when_asked *asked, const char *pattern,
                        const struct compiled *compiled)
{
    int status = record_probes_ask(asked->process, pattern, NULL, follow_flag(asked), 0, 0);
    if (status != STATUS_DONE)
        return status;
    struct attach_request request = {.op = LIVE_ENABLE,
                                     .text = pattern,
                                     .argument = asked->table,
                                     .flags = follow_flag(asked),
                                     .program = compiled->words,
                                     .program_size = compiled_program(compiled)->size};
    if (attach_send(asked->process, &request) != 0)
        return STATUS_FAILED;
    return request.result > 0 ? STATUS_DONE : target_refused_by(asked->process, pattern, &request);
}

/* The probe at its end is also recorded. */
static int enable_stop(const struct when_asked *asked, const char *pattern,
                       const struct compiled *compiled)
{
    uint32_t flags = follow_flag(asked);
    int status = record_probes_ask(asked->process, pattern, NULL, flags, 0, 0);
    if (status != STATUS_DONE)
        return status;
    return record_probes_ask(asked->process, pattern, compiled, flags | LIVE_SNAPSHOT, asked->table,
                             asked->when->limit);
}

static bool is_enabled(const struct when_asked *asked, unsigned end, const char *pattern)
{
    for (size_t i = 0; i < asked->count[end]; i++)
        if (!strcmp(asked->enabled[end][i], pattern))
            return true;
    return false;
}

static int compile_end(struct when_asked *asked, unsigned end, const struct live_site *site,
                       struct compiled *compiled)
{
    struct site_arguments *arguments = described_sites_arguments(site);
    const struct site_types types = {asked->process, site};
    struct compile_request request = {.action = end == 0 ? LIVE_START : LIVE_STOP,
                                      .predicate = asked->when->clauses.predicate[end],
                                      .value = asked->when->clauses.match,
                                      .arguments = arguments->list,
                                      .types = &types,
                                      .argument_count = arguments->count};
    int result = compile_or_report(&request, compiled);
    if (asked->arguments[end])
        site_arguments_free(arguments);
    else
        asked->arguments[end] = arguments;
    return result;
}

struct enabling {
    struct when_asked *asked;
    unsigned end;
};

static int visit(void *data, const char *part, const struct live_sites *sites, size_t i)
{
    const struct enabling *enabling = data;
    struct when_asked *asked = enabling->asked;
    unsigned end = enabling->end;
    const struct live_site *site = &sites->site[i];
    char *pattern = patterns_narrow(part, site->provider, site->name);
    struct compiled compiled;
    if (is_enabled(asked, end, pattern)) {
        free(pattern);
        return STATUS_DONE;
    }
    int status = compile_end(asked, end, site, &compiled) == 0 ? make_table(asked, &compiled)
                                                               : STATUS_FAILED;
    if (status == STATUS_DONE)
        status = end == 0 ? enable_start(asked, pattern, &compiled)
                          : enable_stop(asked, pattern, &compiled);
    asked->enabled[end] =
        memory_resize(asked->enabled[end], asked->count[end] + 1, sizeof *asked->enabled[end]);
    asked->enabled[end][asked->count[end]++] = pattern;
    return status;
}

static int look_at_end(struct when_asked *asked, unsigned end)
{
    struct enabling enabling = {asked, end};
    const char *pattern = asked->when->clauses.pattern[end];
    bool found;
    int status = live_probes_each(asked->process, pattern, visit, &enabling, &found);
    struct attach_request none = {.result = -ENOENT};
    if (status == STATUS_DONE && !asked->count[end] &&
        !target_may_lack(asked->target, asked->process))
        status = target_refused_by(asked->process, pattern, &none);
    return status;
}

/* ---- Both. ---- */

int when_look(struct when_asked *asked)
{
    if (asked->when->is_latency) {
        /* The end first: what is started before its end is enabled would be of no use. */
        uint64_t generation = atomic_load(&asked->process->page->generation);
        if (asked->has_looked && generation == asked->generation)
            return STATUS_DONE;
        asked->has_looked = true;
        asked->generation = generation;
        int status = look_at_end(asked, 1);
        return status == STATUS_DONE ? look_at_end(asked, 0) : status;
    }
    asked->probes.target = asked->target;
    asked->probes.process = asked->process;
    asked->probes.pattern = asked->when->clauses.pattern[0];
    asked->probes.predicate = asked->when->clauses.predicate[0];
    asked->probes.is_trigger = true;
    return record_probes_look(&asked->probes);
}

/* ---- What is doubtful. ---- */

void when_count(const struct when_asked *asked, uint64_t *restarted, uint64_t *evicted)
{
    struct live_table table;
    bool is_there = asked->table && asked->file >= 0 &&
                    pread(asked->file, &table, sizeof table, 0) == (ssize_t)sizeof table;
    *restarted += is_there ? atomic_load(&table.restarted) : 0;
    *evicted += is_there ? atomic_load(&table.evicted) : 0;
}

static void warn(const struct when_asked *asked, uint64_t number, const char *what,
                 const char *advice)
{
    char *begin = label_part(asked->when->clauses.pattern[0]);
    char *text = memory_format("%llu hits %s", (unsigned long long)number, what);
    if (number)
        diag_warn(&(struct diag_place){.file = begin}, text, advice);
    free(text);
    free(begin);
}

/* By thread, in an event loop, latencies are too short, and no snapshot may be taken at all. */
void when_warn(const struct when_asked *asked, uint64_t restarted, uint64_t evicted)
{
    bool knows_both = asked->arguments[0] && asked->arguments[1];
    const char *common =
        knows_both ? site_arguments_common(asked->arguments[0], asked->arguments[1]) : NULL;
    char *advice = asked->when->clauses.match ? NULL : site_arguments_how_to_pair(common);
    warn(asked, restarted, "began what had not ended", advice);
    warn(asked, evicted, "began more than is remembered: the oldest were given up", NULL);
    free(advice);
}

void when_asked_free(struct when_asked *asked)
{
    record_probes_free(&asked->probes);
    if (asked->table && asked->file >= 0)
        close(asked->file);
    for (unsigned end = 0; end < 2; end++) {
        if (asked->arguments[end])
            site_arguments_free(asked->arguments[end]);
        for (size_t i = 0; i < asked->count[end]; i++)
            free(asked->enabled[end][i]);
        free(asked->enabled[end]);
    }
    *asked = (struct when_asked){0};
}
