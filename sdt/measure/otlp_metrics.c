/* SPDX-License-Identifier: BSD-2-Clause */
/* See otlp_metrics.h. A request has a metric, with a data point for each key of each probe. */
#include "otlp_metrics.h"

#include "otlp/live.h"
#include "otlp_points.h"

/* Append all points; returns how many. */
static uint64_t append_points(const struct otlp *otlp, struct measured *command)
{
    const struct clauses *clauses = &command->request.clauses;
    uint64_t count = 0;
    for (size_t i = 0; i < command->measure.count; i++) {
        struct measure_table *table = &command->measure.tables[i];
        measure_look_for_exemplars(&command->measure, table);
        const struct otlp_points points = {
            .action = command->request.action,
            .provider = table->provider,
            .name = table->name,
            .more = measured_is_latency(command) ? clauses->pattern[1] : clauses->value,
            .look = table->look,
            .exemplars = &table->exemplars,
            .start = command->start,
        };
        struct aggregate aggregate;
        measure_read(&aggregate, table);
        count += otlp_points_append(otlp, &points, &aggregate);
        aggregate_free(&aggregate);
    }
    return count;
}

/* Of several processes, the first one's name stands for all. */
void otlp_metrics_send(struct measured *command)
{
    struct bytes body = {0};
    const struct otlp otlp = {&body, false};
    const struct target *target = &command->target;
    struct otlp_scope scope = otlp_scope_begin(&otlp, target->process.name,
                                               target_count(target) == 1 ? target->process.pid : 0);
    struct otlp_metric metric = otlp_metric_begin(&otlp, command->request.action);
    uint64_t count = append_points(&otlp, command);
    otlp_metric_end(&otlp, metric);
    otlp_scope_end(&otlp, scope);
    if (count)
        otlp_live_send(command->live, OTLP_SIGNAL_METRICS, &body, count);
    bytes_free(&body);
}
