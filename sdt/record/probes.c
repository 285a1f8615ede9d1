/* SPDX-License-Identifier: BSD-2-Clause */
/* See probes.h. */
#include "probes.h"

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
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int record_probes_ask(struct attached *process, const char *pattern, const struct compiled *program,
                      uint32_t flags, uint64_t table, uint64_t limit)
{
    char text[LIVE_REQUEST_TEXT];
    int length = snprintf(text, sizeof text, "%s%c%" PRIu64, pattern, 0, limit);
    if (length < 0 || length >= (int)sizeof text) {
        diag_error("%s: this pattern is too long", pattern);
        return STATUS_FAILED;
    }
    struct attach_request request = {.op = LIVE_EXTEND,
                                     .text = text,
                                     .length = (size_t)length + 1,
                                     .flags = flags,
                                     .argument = table,
                                     .program = program ? program->words : NULL,
                                     .program_size = program ? compiled_program(program)->size : 0};
    if (attach_send(process, &request) != 0)
        return STATUS_FAILED;
    return request.result > 0 ? STATUS_DONE : target_refused_by(process, pattern, &request);
}

/* ---- Conditions. ---- */

static int compile_for(const struct record_probes *probes, const struct live_site *site,
                       const struct site_arguments *arguments, struct compiled *compiled,
                       struct compile_error *error)
{
    const struct site_types types = {probes->process, site};
    struct compile_request request = {.action = LIVE_COUNT,
                                      .predicate = probes->predicate,
                                      .arguments = arguments->list,
                                      .argument_count = arguments->count,
                                      .types = &types,
                                      .may_lack = arguments->may_lack};
    return compile_program(&request, compiled, error);
}

/* Whether the condition, COMPILED for ALL sites, means the same at the one that is OTHER. */
static bool is_same_at(const struct record_probes *probes, const struct live_site *other,
                       const struct site_arguments *all, const struct compiled *compiled)
{
    struct site_arguments *arguments = described_sites_arguments(other);
    struct compiled again;
    struct compile_error error;
    site_arguments_widen(arguments, all);
    bool is_same = compile_for(probes, other, arguments, &again, &error) == 0 &&
                   compiled_program(&again)->size == compiled_program(compiled)->size &&
                   memcmp(again.words, compiled->words, compiled_program(compiled)->size) == 0;
    site_arguments_free(arguments);
    return is_same;
}

static bool is_same_elsewhere(const struct record_probes *probes, const struct live_sites *sites,
                              size_t first, const struct site_arguments *all,
                              const struct compiled *compiled)
{
    for (size_t i = first + 1; i < sites->count; i++)
        if ((live_site_is_other(&sites->site[first], &sites->site[i]) ||
             (compiled->has_members &&
              live_site_is_same_probe(&sites->site[first], &sites->site[i]))) &&
            !is_same_at(probes, &sites->site[i], all, compiled))
            return false;
    return true;
}

/* *HAS_PROGRAM: there is one to be sent. A status. */
static int compile_condition(struct record_probes *probes, const struct live_sites *sites, size_t i,
                             struct compiled *compiled, bool *has_program)
{
    const struct live_site *site = &sites->site[i];
    struct compile_error error;
    *has_program = false;
    if (!probes->predicate)
        return STATUS_DONE;
    struct site_arguments *all = live_site_arguments(sites, i);
    bool is_good = compile_for(probes, site, all, compiled, &error) == 0;
    *has_program = is_good && is_same_elsewhere(probes, sites, i, all, compiled);
    site_arguments_free(all);
    if (*has_program)
        return STATUS_DONE;
    if (probes->may_choose_later && !(is_good ? compiled->has_members : error.is_of_member)) {
        probes->left_over = true;
        return STATUS_DONE;
    }
    if (!is_good)
        mark_error(error.text, error.offset, error.problem);
    else {
        char *probe = label_of(site->provider, site->name);
        diag_error("%s passes other arguments at some sites: choose one by "
                   "PROVIDER:MODULE:FUNCTION:NAME",
                   probe);
        free(probe);
    }
    return STATUS_FAILED;
}

/* ---- Probes. ---- */

static bool is_enabled(const struct record_probes *probes, const char *pattern)
{
    for (size_t i = 0; i < probes->count; i++)
        if (!strcmp(probes->enabled[i], pattern))
            return true;
    return false;
}

static int enable(struct record_probes *probes, const struct live_sites *sites, size_t i,
                  const char *pattern)
{
    struct compiled compiled;
    bool has_program;
    uint32_t flags = probes->target->follows ? LIVE_FOLLOW : 0;
    int status = compile_condition(probes, sites, i, &compiled, &has_program);
    /* The event that takes a snapshot is also in it. */
    if (status == STATUS_DONE && probes->is_trigger)
        status = record_probes_ask(probes->process, pattern, NULL, flags, 0, 0);
    if (status == STATUS_DONE)
        status = record_probes_ask(probes->process, pattern, has_program ? &compiled : NULL,
                                   flags | (probes->is_trigger ? LIVE_SNAPSHOT : 0), 0, 0);
    return status;
}

static int visit(void *data, const char *part, const struct live_sites *sites, size_t i)
{
    struct record_probes *probes = data;
    char *pattern = patterns_narrow(part, sites->site[i].provider, sites->site[i].name);
    int status = STATUS_DONE;
    if (!is_enabled(probes, pattern)) {
        status = enable(probes, sites, i, pattern);
        if (status == STATUS_DONE) {
            probes->enabled =
                memory_resize(probes->enabled, probes->count + 1, sizeof *probes->enabled);
            probes->enabled[probes->count++] = pattern;
            return status;
        }
    }
    free(pattern);
    return status;
}

int record_probes_look(struct record_probes *probes)
{
    struct target *target = probes->target;
    uint64_t generation = atomic_load(&probes->process->page->generation);
    bool found;
    if (probes->has_looked && generation == probes->generation)
        return STATUS_DONE;
    probes->has_looked = true;
    probes->generation = generation;
    int status = live_probes_each(probes->process, probes->pattern, visit, probes, &found);
    probes->has_found = probes->has_found || found;
    if (status != STATUS_DONE || probes->has_found || target_may_lack(target, probes->process))
        return status;
    struct attach_request none = {.result = -ENOENT};
    return target_refused_by(probes->process, probes->pattern, &none);
}

void record_probes_free(struct record_probes *probes)
{
    for (size_t i = 0; i < probes->count; i++)
        free(probes->enabled[i]);
    free(probes->enabled);
    probes->enabled = NULL;
    probes->count = 0;
}
