/* SPDX-License-Identifier: BSD-2-Clause */
/* See series.h. There are few groups and few probes, so both are searched one by one. */
#include "series.h"

#include "base/now.h"

#include <stdlib.h>

struct group *series_group(struct series *series, const char *program, pid_t pid)
{
    for (size_t i = 0; i < series->count; i++) {
        struct group *group = &series->groups[i];
        if (group->pid == pid && strcmp(group->program, program) == 0) {
            group->ended = 0; /* it was attached to anew */
            return group;
        }
    }
    series->groups = memory_resize(series->groups, series->count + 1, sizeof *series->groups);
    series->groups[series->count] =
        (struct group){.program = memory_format("%s", program), .pid = pid, .start = now_epoch()};
    return &series->groups[series->count++];
}

/* How many keys there are at most is no matter. */
static struct live_table_spec form_of(const struct live_table_spec *spec)
{
    return (struct live_table_spec){.value = spec->value,
                                    .key = {spec->key[0], spec->key[1]},
                                    .low = spec->low,
                                    .step = spec->step};
}

static void keep_look(struct total *total, const struct key_look *look)
{
    for (unsigned i = 0; i < 2; i++) {
        total->look[i] = look[i];
        if (!look[i].label_count)
            continue;
        struct describe_label *labels =
            arena_keep(&total->labels, look[i].labels, look[i].label_count * sizeof *labels);
        for (size_t k = 0; k < look[i].label_count; k++)
            labels[k].text = arena_keep(&total->labels, labels[k].text, strlen(labels[k].text) + 1);
        total->look[i].labels = labels;
    }
}

struct total *series_total(struct group *group, const char *provider, const char *name,
                           const struct key_look *look, const struct live_table_spec *form)
{
    struct live_table_spec wanted = form_of(form);
    for (size_t i = 0; i < group->count; i++) {
        struct total *total = &group->totals[i];
        if (!strcmp(total->provider, provider) && !strcmp(total->name, name) &&
            !memcmp(&total->form, &wanted, sizeof wanted))
            return total;
    }
    group->totals = memory_resize(group->totals, group->count + 1, sizeof *group->totals);
    struct total *total = &group->totals[group->count++];
    *total = (struct total){.provider = memory_format("%s", provider),
                            .name = memory_format("%s", name),
                            .form = wanted};
    keep_look(total, look);
    return total;
}

static void add_lost(struct lost *lost, const struct aggregate *from)
{
    lost->hits[LOST_KEYS] += from->overflow;
    lost->hits[LOST_VALUE] += from->missing;
    lost->hits[LOST_END] += from->unmatched;
    lost->hits[LOST_BEGIN] += from->restarted;
    lost->hits[LOST_OPEN] += from->evicted;
}

bool series_is_current(const struct group *group, size_t i)
{
    const struct total *total = &group->totals[i];
    for (size_t k = 0; k < group->count; k++)
        if (group->totals[k].youngest > total->youngest &&
            !strcmp(group->totals[k].provider, total->provider) &&
            !strcmp(group->totals[k].name, total->name))
            return false;
    return true;
}

void series_begin(struct series *series)
{
    for (size_t i = 0; i < series->count; i++)
        for (size_t k = 0; k < series->groups[i].count; k++) {
            struct total *total = &series->groups[i].totals[k];
            if (!series_is_current(&series->groups[i], k)) {
                add_lost(&series->gone, &total->past);
                aggregate_free(&total->past);
            }
            aggregate_free(&total->now);
            aggregate_copy(&total->now, &total->past);
        }
}

void series_lost(const struct series *series, struct lost *lost)
{
    for (unsigned i = 0; i < LOST_REASONS; i++)
        lost->hits[i] += series->gone.hits[i];
    for (size_t i = 0; i < series->count; i++)
        for (size_t k = 0; k < series->groups[i].count; k++)
            add_lost(lost, &series->groups[i].totals[k].now);
}

static void free_group(struct group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        struct total *total = &group->totals[i];
        free(total->provider);
        free(total->name);
        arena_free(&total->labels);
        exemplars_free(&total->exemplars);
        aggregate_free(&total->past);
        aggregate_free(&total->now);
    }
    free(group->totals);
    free(group->program);
}

void series_forget(struct series *series, double seconds)
{
    size_t kept = 0;
    for (size_t i = 0; i < series->count; i++) {
        struct group *group = &series->groups[i];
        bool is_over = group->ended && seconds_since(group->ended) > seconds;
        for (size_t k = 0; is_over && k < group->count; k++)
            add_lost(&series->gone, &group->totals[k].past);
        if (is_over)
            free_group(group);
        else
            series->groups[kept++] = *group;
    }
    series->count = kept;
}

void series_free(struct series *series)
{
    for (size_t i = 0; i < series->count; i++)
        free_group(&series->groups[i]);
    free(series->groups);
    *series = (struct series){0};
}
