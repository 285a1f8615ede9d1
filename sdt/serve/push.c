/* SPDX-License-Identifier: BSD-2-Clause */
/* See push.h. */
#include "push.h"

#include "measure/otlp_points.h"

static bool is_same(const struct group *one, const struct group *other)
{
    return one->pid == other->pid && strcmp(one->program, other->program) == 0;
}

/* Whether GROUP, number K of rule number I, is the first of its program and process. */
static bool is_first(const struct config *config, size_t i, size_t k)
{
    const struct group *group = &config->rules[i]->series.groups[k];
    for (size_t n = 0; n <= i; n++) {
        const struct series *series = &config->rules[n]->series;
        size_t end = n == i ? k : series->count;
        for (size_t m = 0; m < end; m++)
            if (is_same(&series->groups[m], group))
                return false;
    }
    return true;
}

static uint64_t append_group(const struct otlp *otlp, const struct rule *rule,
                             const struct group *group, uint64_t most)
{
    uint64_t count = 0;
    for (size_t i = 0; i < group->count; i++) {
        struct total *total = &group->totals[i];
        if (!series_is_current(group, i))
            continue;
        const struct otlp_points points = {
            .action = rule->request.action,
            .provider = total->provider,
            .name = total->name,
            .more = rule_more(rule),
            .look = total->look,
            .exemplars = &total->exemplars,
            .own = rule->own.list,
            .start = group->start,
        };
        struct aggregate some = total->now;
        some.count = some.count < most - count ? some.count : most - count;
        count += otlp_points_append(otlp, &points, &some);
    }
    return count;
}

/* What rules of ACTION have of the program and process of GROUP. */
static uint64_t append_metric(const struct otlp *otlp, const struct config *config,
                              enum live_action action, const struct group *group, uint64_t most)
{
    uint64_t count = 0;
    struct otlp_metric metric = otlp_metric_begin(otlp, action);
    for (size_t i = 0; i < config->count; i++) {
        const struct rule *rule = config->rules[i];
        for (size_t k = 0; rule->request.action == action && k < rule->series.count; k++)
            if (is_same(&rule->series.groups[k], group))
                count += append_group(otlp, rule, &rule->series.groups[k], most - count);
    }
    otlp_metric_end(otlp, metric);
    return count;
}

static uint64_t append_resource(const struct otlp *otlp, const struct config *config,
                                const struct group *group, uint64_t most)
{
    static const enum live_action actions[] = {LIVE_COUNT, LIVE_HIST, LIVE_STOP};
    uint64_t count = 0;
    struct otlp_scope scope = otlp_scope_begin(otlp, group->program, group->pid);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        size_t start = otlp->to->size;
        uint64_t added = append_metric(otlp, config, actions[i], group, most - count);
        if (!added)
            otlp->to->size = start;
        count += added;
    }
    otlp_scope_end(otlp, scope);
    return count;
}

uint64_t push_append(struct bytes *to, const struct config *config, size_t most)
{
    const struct otlp otlp = {to, false};
    uint64_t count = 0;
    for (size_t i = 0; i < config->count; i++) {
        const struct series *series = &config->rules[i]->series;
        for (size_t k = 0; k < series->count; k++)
            if (is_first(config, i, k))
                count += append_resource(&otlp, config, &series->groups[k], most - count);
    }
    return count;
}
