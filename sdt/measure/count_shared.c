/* SPDX-License-Identifier: BSD-2-Clause */
/* See count_shared.h. */
#include "count_shared.h"

#include "base/memory.h"
#include "command/command.h"
#include "target/live_sites.h"
#include "target/patterns.h"

#include <errno.h>
#include <stdlib.h>

/* What is there by now gets a row, hit or not. */
static void make_rows(struct count_rows *rows, const struct live_sites *sites)
{
    for (size_t i = 0; i < sites->count; i++)
        count_rows_row(rows, sites->site[i].provider, sites->site[i].name);
}

/* The same, once SITES are armed, if they can be. */
static void note_enabled(struct count_rows *rows, struct attached *process,
                         const struct live_sites *sites)
{
    make_rows(rows, sites);
    count_rows_note_armed(rows, sites);
    patterns_warn_of(process, sites);
}

static int ask(struct count_shared *shared, struct attached *process, const char *resolved,
               uint64_t table)
{
    bool may_be_none = target_may_lack(shared->target, process);
    struct attach_request request = {.op = LIVE_ENABLE,
                                     .text = resolved,
                                     .argument = table,
                                     .flags = (may_be_none ? LIVE_PENDING : 0) |
                                              (shared->target->follows ? LIVE_FOLLOW : 0),
                                     .program = shared->program.words,
                                     .program_size = compiled_program(&shared->program)->size};
    if (attach_send(process, &request) != 0)
        return STATUS_FAILED;
    return request.result > 0 ? STATUS_DONE : target_refused_by(process, shared->pattern, &request);
}

uint64_t count_shared_table(struct count_shared *shared, struct attached *process, size_t sites)
{
    /* Room for the probes of PROCESS, and for those that may come. */
    struct live_table_spec spec = compile_table_spec(&shared->program);
    spec.key_text = LIVE_MAX_KEY_TEXT;
    spec.keys = 2 * sites > spec.keys ? (uint32_t)(2 * sites) : spec.keys;
    spec.keys = spec.keys < LIVE_MAX_KEYS ? spec.keys : LIVE_MAX_KEYS;
    struct measure_part part;
    if (measure_part_make(&part, process, &spec) != 0)
        return 0;
    shared->parts = memory_resize(shared->parts, shared->count + 1, sizeof part);
    shared->parts[shared->count++] = part;
    return part.number;
}

/* Which BEFORE match; what was loaded meanwhile gets its rows as well. */
static int enable(struct count_shared *shared, struct attached *process,
                  struct counted_process *counted, const struct live_sites *before,
                  struct count_rows *rows)
{
    struct live_sites after;
    counted->table = count_shared_table(shared, process, before->count);
    make_rows(rows, before);
    if (!counted->table || ask(shared, process, counted->resolved, counted->table) != STATUS_DONE ||
        live_sites_ask(process, counted->resolved, &after) != 0)
        return STATUS_FAILED;
    note_enabled(rows, process, &after);
    live_sites_free(&after);
    return STATUS_DONE;
}

/* Have functions that have come since counted as well. */
static int enable_added(struct count_shared *shared, struct attached *process,
                        const struct counted_process *counted, const char *before)
{
    char *added = patterns_added(counted->resolved, before);
    int status = added ? ask(shared, process, added, counted->table) : STATUS_DONE;
    free(added);
    return status;
}

static int look_at(struct count_shared *shared, struct attached *process,
                   struct counted_process *counted, struct count_rows *rows)
{
    uint64_t generation = atomic_load(&process->page->generation) + 1;
    int status = STATUS_DONE;
    struct live_sites sites;
    char *before = counted->resolved;
    if (counted->generation == generation)
        return STATUS_DONE;
    counted->generation = generation;
    if (patterns_sites(process, shared->pattern, &counted->resolved, &sites) != 0) {
        counted->resolved = before;
        return STATUS_FAILED;
    }
    if (!before)
        status = enable(shared, process, counted, &sites, rows);
    else if ((status = enable_added(shared, process, counted, before)) == STATUS_DONE)
        note_enabled(rows, process, &sites);
    live_sites_free(&sites);
    free(before);
    return status;
}

void count_shared_read(struct count_shared *shared, struct count_rows *rows)
{
    struct aggregate all;
    const struct live_view **views = memory_zeroed(shared->count + 1, sizeof *views);
    for (size_t i = 0; i < shared->count; i++)
        views[i] = &shared->parts[i].view;
    aggregate_read_all(&all, views, shared->count);
    for (size_t i = 0; i < all.count; i++) {
        const struct live_key *key = &all.rows[i].key;
        char *provider = memory_format("%.*s", (int)key->length[0], key->text[0]);
        char *name = memory_format("%.*s", (int)key->length[1], key->text[1]);
        count_rows_row(rows, provider, name)->total = all.rows[i].sums.count;
        free(provider);
        free(name);
    }
    shared->overflow = all.overflow;
    aggregate_free(&all);
    free(views);
}

int count_shared_look(struct count_shared *shared, struct count_rows *rows)
{
    int status = STATUS_DONE;
    size_t count = target_count(shared->target);
    shared->processes = memory_resize(shared->processes, count, sizeof *shared->processes);
    for (; shared->process_count < count; shared->process_count++)
        shared->processes[shared->process_count] = (struct counted_process){0};
    for (size_t i = 0; i < count && status == STATUS_DONE; i++) {
        struct attached *process = target_at(shared->target, i);
        if (!process->page || !attach_is_there(process))
            continue;
        status = look_at(shared, process, &shared->processes[i], rows);
        shared->failures += status != STATUS_DONE;
        status = target_settle(process, status);
    }
    count_shared_read(shared, rows);
    return status;
}

int count_shared_prepare(struct count_shared *shared, struct target *target, const char *pattern)
{
    const struct compile_request request = {.action = LIVE_COUNT, .key = {"provider", "name"}};
    *shared = (struct count_shared){.target = target, .pattern = pattern};
    return compile_or_report(&request, &shared->program) == 0 ? STATUS_DONE : STATUS_FAILED;
}

int count_shared_begin(struct count_shared *shared, struct target *target, const char *pattern,
                       struct count_rows *rows)
{
    int status = count_shared_prepare(shared, target, pattern);
    if (status == STATUS_DONE)
        status = target_check_matches(target, pattern);
    if (status == STATUS_DONE)
        status = count_shared_look(shared, rows);
    const struct attach_request none = {.result = -ENOENT};
    bool has_ended = !attach_is_there(&target->process); /* then nothing was asked */
    if (status == STATUS_DONE && rows->count == 0 && !has_ended &&
        !target_may_lack(target, &target->process))
        status = target_refused(target, pattern, &none);
    return status;
}

void count_shared_free(struct count_shared *shared)
{
    for (size_t i = 0; i < shared->count; i++)
        measure_part_end(&shared->parts[i]);
    free(shared->parts);
    for (size_t i = 0; i < shared->process_count; i++)
        free(shared->processes[i].resolved);
    free(shared->processes);
    *shared = (struct count_shared){.count = 0};
}
