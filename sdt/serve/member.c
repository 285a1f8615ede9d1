/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See member.h. A process that is stopped answers no requests: it is not attached to while it is,
 * and left without a request, since it ends a session whose tool has gone by itself. One that is
 * frozen otherwise is given PATIENCE.
 */
#include "member.h"

#include "base/now.h"
#include "heart.h"

#include <stdio.h>
#include <stdlib.h>

enum { PATIENCE_MS = 1000 };

/* ---- The process. ---- */

/* Whether PID is stopped, by a signal or a debugger. */
static bool is_stopped(pid_t pid)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    const char *end = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (file)
        fclose(file);
    return end && end[1] && (end[2] == 'T' || end[2] == 't');
}

struct member *member_open(pid_t pid, int *why)
{
    struct member *member = memory_zeroed(1, sizeof *member);
    struct attached *process = &member->target.process;
    *why = is_stopped(pid) ? 0 : attach_open(process, pid);
    bool is_open = process->page != NULL && *why == 0;
    if (is_open) {
        process->is_late = true;
        process->patience = PATIENCE_MS;
        member->pid = pid;
        member->since = now();
        snprintf(member->name, sizeof member->name, "%s", process->name);
        member->generation = atomic_load(&process->page->generation);
        if (attach_begin(process) == 0) {
            heart_add(process);
            return member;
        }
    }
    if (process->page)
        attach_close(process);
    free(member);
    return NULL;
}

enum member_state member_state(const struct member *member)
{
    const struct attached *process = &member->target.process;
    if (!attach_is_there(process))
        return MEMBER_ENDED;
    return atomic_load(&process->page->sessions[process->place].id) == process->session
               ? MEMBER_THERE
               : MEMBER_LOST;
}

/* ---- What is measured. ---- */

static void look(struct measuring *measuring)
{
    struct rule *rule = measuring->rule;
    rule_begin_messages(rule);
    if (rule->is_plain)
        count_shared_look(&measuring->shared, &measuring->rows);
    else
        measure_look(&measuring->measure);
    unsigned failures = measuring->measure.failures + measuring->shared.failures;
    rule_end_messages(rule, failures > measuring->failures);
    measuring->failures = failures;
}

void member_add(struct member *member, struct rule *rule)
{
    member->list = memory_resize(member->list, member->count + 1, sizeof *member->list);
    struct measuring *measuring = &member->list[member->count++];
    *measuring = (struct measuring){.rule = rule};
    measuring->measure = (struct measure){.request = &rule->request, .target = &member->target};
    if (rule->is_plain)
        count_shared_prepare(&measuring->shared, &member->target, rule->request.clauses.pattern[0]);
    look(measuring);
}

bool member_has(const struct member *member, const struct rule *rule)
{
    size_t i = 0;
    while (i < member->count && member->list[i].rule != rule)
        i++;
    return i < member->count;
}

void member_look(struct member *member)
{
    uint64_t generation = atomic_load(&member->target.process.page->generation);
    for (size_t i = 0; generation != member->generation && i < member->count; i++)
        look(&member->list[i]);
    member->generation = generation;
}

unsigned member_failures(const struct member *member)
{
    unsigned failures = 0;
    for (size_t i = 0; i < member->count; i++)
        failures += member->list[i].failures;
    return failures;
}

/* Of a latency, both of its ends. */
static size_t probes_of(const struct measuring *measuring)
{
    const struct measure *measure = &measuring->measure;
    size_t number[2] = {0, 0};
    if (measuring->rule->is_plain)
        return measuring->rows.count;
    for (size_t i = 0; i < measure->program_count; i++)
        number[measure->programs[i].which]++;
    bool is_latency = measuring->rule->request.action == LIVE_STOP;
    return is_latency && !number[1] ? 0 : number[0];
}

size_t member_probes(const struct member *member, const struct rule *rule)
{
    for (size_t i = 0; i < member->count; i++)
        if (member->list[i].rule == rule)
            return probes_of(&member->list[i]);
    return 0;
}

/* ---- What it has measured. ---- */

static struct group *group_of(const struct member *member, struct rule *rule)
{
    const char *name = rule->selector.name;
    bool is_name = name && selector_is_name(name);
    return series_group(&rule->series, is_name ? name : member->name,
                        rule->by_process ? member->pid : 0);
}

static void add(const struct member *member, struct rule *rule, struct total *total,
                const struct aggregate *more, bool is_past)
{
    if (total->youngest < member->since)
        total->youngest = member->since;
    aggregate_add(is_past ? &total->past : &total->now, more);
    if (is_past)
        rule->series.gone.hits[LOST_KEYS] += aggregate_trim(&total->past, rule_most_keys(rule));
}

/* A count of each probe, without keys. */
static void add_counts(const struct member *member, struct measuring *measuring, bool is_past)
{
    static const struct key_look none[2];
    static const struct live_table_spec form;
    struct group *group = group_of(member, measuring->rule);
    count_shared_read(&measuring->shared, &measuring->rows);
    for (size_t i = 0; i < measuring->rows.count; i++) {
        const struct count_row *row = &measuring->rows.row[i];
        struct aggregate_row number = {.sums = {.count = row->total}};
        const struct aggregate one = {
            .rows = &number, .count = 1, .overflow = i == 0 ? measuring->shared.overflow : 0};
        add(member, measuring->rule, series_total(group, row->provider, row->name, none, &form),
            &one, is_past);
    }
}

static void add_tables(const struct member *member, struct measuring *measuring, bool is_past)
{
    struct group *group = group_of(member, measuring->rule);
    for (size_t i = 0; probes_of(measuring) && i < measuring->measure.count; i++) {
        struct measure_table *table = &measuring->measure.tables[i];
        struct total *total =
            series_total(group, table->provider, table->name, table->look, &table->spec);
        struct aggregate aggregate;
        measure_read(&aggregate, table);
        add(member, measuring->rule, total, &aggregate, is_past);
        aggregate_free(&aggregate);
        measure_look_for_exemplars(&measuring->measure, table);
        exemplars_add_all(&total->exemplars, &table->exemplars);
    }
}

static void add_all(struct member *member, bool is_past)
{
    for (size_t i = 0; i < member->count; i++)
        (member->list[i].rule->is_plain ? add_counts : add_tables)(member, &member->list[i],
                                                                   is_past);
}

void member_read(struct member *member)
{
    add_all(member, false);
}

/* ---- The end. ---- */

static void end_groups(const struct member *member)
{
    for (size_t i = 0; i < member->count; i++) {
        struct rule *rule = member->list[i].rule;
        if (rule->by_process)
            group_of(member, rule)->ended = now();
    }
}

void member_close(struct member *member)
{
    struct attached *process = &member->target.process;
    if (member_state(member) == MEMBER_THERE && !is_stopped(member->pid))
        target_detach(&member->target);
    add_all(member, true);
    end_groups(member);
    heart_remove(process);
    attach_close(process);
    for (size_t i = 0; i < member->count; i++) {
        measure_free(&member->list[i].measure);
        count_rows_free(&member->list[i].rows);
        count_shared_free(&member->list[i].shared);
    }
    free(member->list);
    free(member);
}
