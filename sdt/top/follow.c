/* SPDX-License-Identifier: BSD-2-Clause */
/* See follow.h. */
#include "follow.h"

#include "base/memory.h"
#include "command/command.h"
#include "target/patterns.h"

#include <stdio.h>
#include <stdlib.h>

int top_follow_begin(struct top *top)
{
    struct count_shared *shared = &top->follow.shared;
    return count_shared_prepare(shared, &top->target, top->pattern) == STATUS_DONE ? 0 : -1;
}

/* ---- What is counted. ---- */

static int count(struct top *top, size_t i, const struct top_switch *change, uint64_t *id)
{
    struct attached *process = target_at(&top->target, i);
    struct attach_request request = {
        .op = LIVE_ENABLE,
        .text = change->pattern,
        .argument = top->follow.processes[i].table,
        .flags = LIVE_PENDING | (top->target.follows ? LIVE_FOLLOW : 0),
        .program = top->follow.shared.program.words,
        .program_size = compiled_program(&top->follow.shared.program)->size};
    if (attach_send(process, &request) != 0)
        return -1;
    if (request.result > 0)
        *id = (uint64_t)request.result;
    else
        top_note(top, request.message);
    return 0;
}

static int cease(struct top *top, size_t i, uint64_t *id)
{
    struct attach_request request = {.op = LIVE_DISABLE, .argument = *id};
    *id = 0;
    return attach_send(target_at(&top->target, i), &request);
}

static int obey_in(struct top *top, size_t i)
{
    struct top_process *process = &top->follow.processes[i];
    process->ids = memory_resize(process->ids, top->switch_count + 1, sizeof *process->ids);
    for (; process->id_count < top->switch_count; process->id_count++)
        process->ids[process->id_count] = 0;
    int result = 0;
    for (size_t k = 0; k < top->switch_count && result == 0; k++) {
        uint64_t *id = &process->ids[k];
        bool is_wanted = top->switches[k].id != 0;
        if (is_wanted != (*id != 0))
            result = is_wanted ? count(top, i, &top->switches[k], id) : cease(top, i, id);
    }
    return result;
}

int top_follow_obey(struct top *top)
{
    int result = 0;
    for (size_t i = 0; i < top->follow.count && result == 0; i++)
        if (top->follow.processes[i].table && target_is_there(&top->target, i))
            result = obey_in(top, i);
    return result;
}

/* ---- What there is. ---- */

static uint64_t generation_of(struct top *top, size_t i)
{
    return target_is_there(&top->target, i)
               ? atomic_load(&target_at(&top->target, i)->page->generation) + 1
               : 0;
}

static bool has_news(struct top *top)
{
    struct top_follow *follow = &top->follow;
    size_t processes = target_count(&top->target);
    follow->processes = memory_resize(follow->processes, processes, sizeof *follow->processes);
    for (; follow->count < processes; follow->count++)
        follow->processes[follow->count] = (struct top_process){0};
    bool is_new = false;
    for (size_t i = 0; i < processes; i++)
        is_new = is_new || (target_is_there(&top->target, i) &&
                            follow->processes[i].generation != generation_of(top, i));
    return is_new;
}

static int learn_from(struct top *top, size_t i)
{
    char *resolved;
    struct live_sites sites;
    struct attached *process = target_at(&top->target, i);
    struct top_process *known = &top->follow.processes[i];
    known->generation = generation_of(top, i);
    if (!known->generation)
        return 0;
    if (patterns_sites(process, top->pattern, &resolved, &sites) != 0)
        return -1;
    free(resolved);
    for (size_t k = 0; k < sites.count; k++) {
        top_learn_site(top, &sites.site[k]);
        count_rows_row(&top->rows, sites.site[k].provider, sites.site[k].name);
    }
    if (!known->table)
        known->table = count_shared_table(&top->follow.shared, process, sites.count);
    live_sites_free(&sites);
    return known->table ? 0 : -1;
}

/* What processes had that have ended is shown on. */
int top_follow_learn(struct top *top)
{
    if (!has_news(top))
        return 0;
    size_t known = top->switch_count;
    for (size_t i = 0; i < top->follow.count; i++)
        if (learn_from(top, i) != 0)
            return -1;
    for (; known < top->switch_count; known++)
        top->switches[known].id = !top->starts_off;
    return top_follow_obey(top);
}

/* Processes that follow a target. */
struct count {
    struct target *target;
    size_t found;
};

static bool is_page_of(uint64_t inode, void *data)
{
    struct target *target = data;
    for (size_t i = 0; i < target_count(target); i++)
        if (target_at(target, i)->page && target_at(target, i)->inode == inode)
            return true;
    return false;
}

static int visit(struct attached *process, int result, void *data)
{
    struct count *count = data;
    count->found += result == 0 && attach_has_page(process->pid, is_page_of, count->target);
    return 0;
}

/*
 * TARGET's processes and the children that do follow them, which are searched in /proc. Who has
 * forked whom does not tell: of a parent that has ended, nothing does. But a child that follows
 * keeps the page mapped in which its tool's session is (control/inherit.h). Tools have it mapped as
 * well; they have no page that is their own.
 */
static size_t count_followers(struct target *target)
{
    struct count count = {target, 0};
    attach_each(visit, &count);
    return count.found;
}

/* Those that are traced, and with --follow their children. */
static size_t count_processes(struct top *top)
{
    size_t found = 0;
    if (top->target.follows)
        return count_followers(&top->target);
    for (size_t i = 0; i < target_count(&top->target); i++)
        found += target_is_there(&top->target, i);
    return found;
}

void top_follow_read(struct top *top)
{
    const struct attached *first = &top->target.process;
    count_shared_read(&top->follow.shared, &top->rows);
    top->follow.watched = count_processes(top);
    snprintf(top->title, sizeof top->title, "%.60s (%d), %zu process%s", first->name,
             (int)first->pid, top->follow.watched, top->follow.watched == 1 ? "" : "es");
}

void top_follow_free(struct top *top)
{
    count_shared_free(&top->follow.shared);
    for (size_t i = 0; i < top->follow.count; i++)
        free(top->follow.processes[i].ids);
    free(top->follow.processes);
}
