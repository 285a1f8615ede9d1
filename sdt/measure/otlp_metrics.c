/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See otlp_metrics.h. A request has a metric, with a data point for each key of each probe. The
 * positive and the negative buckets of a point have one scale: the lower one.
 */
#include "otlp_metrics.h"

#include "base/now.h"
#include "exponential.h"
#include "otlp/live.h"
#include "otlp/message.h"
#include "print/text.h"

#include <stdlib.h>
#include <unistd.h>

struct metric {
    const char *name, *description, *unit;
};

static const struct metric metrics[] = {
    [LIVE_COUNT] = {"sdt.hits", "Hits of static probes.", "{hit}"},
    [LIVE_HIST] = {"sdt.value", "Values of an expression at hits of static probes.", "1"},
    [LIVE_STOP] = {"sdt.latency", "Time from one static probe to another.", "s"},
};

/* What a data point is of. */
struct point {
    const struct measured *command;
    const struct measure_table *table;
    const struct aggregate *aggregate;
    const struct aggregate_row *row;
};

/* ---- Attributes. ---- */

static void append_name(const struct otlp *otlp, enum otlp_field list, const char *key,
                        const char *name)
{
    struct bytes text = {0};
    text_name(&text, name);
    otlp_attribute_text(otlp, list, key, (struct slice){(const char *)text.data, text.size});
    bytes_free(&text);
}

static void append_part(const struct otlp *otlp, enum otlp_field list, const char *name,
                        const struct point *point, unsigned i)
{
    const struct live_key *key = &point->row->key;
    const char *label = aggregate_unique_label(key, i, point->table->look);
    struct bytes text = {0};
    if (label)
        otlp_attribute_text(otlp, list, name, slice_of(label));
    else if (key->type[i] == LIVE_STRING)
        otlp_attribute_text(otlp, list, name, (struct slice){key->text[i], key->length[i]});
    else if (key->type[i] == LIVE_SIGNED || key->number[i] <= INT64_MAX)
        otlp_attribute_integer(otlp, list, name, (int64_t)key->number[i]);
    else {
        text_natural(&text, key->number[i]);
        otlp_attribute_text(otlp, list, name, (struct slice){(const char *)text.data, text.size});
    }
    bytes_free(&text);
}

static void append_attributes(const struct otlp *otlp, enum otlp_field list,
                              const struct point *point)
{
    const struct clauses *clauses = &point->command->request.clauses;
    otlp_list(otlp, list);
    append_name(otlp, list, "sdt.provider", point->table->provider);
    append_name(otlp, list, "sdt.probe", point->table->name);
    if (measured_is_latency(point->command))
        append_name(otlp, list, "sdt.end", clauses->pattern[1]);
    else if (clauses->value)
        otlp_attribute_text(otlp, list, "sdt.expression", slice_of(clauses->value));
    for (unsigned i = 0; i < 2 && point->row->key.type[i]; i++)
        append_part(otlp, list, i ? "sdt.key2" : "sdt.key", point, i);
    otlp_end_list(otlp);
}

/* ---- Data points. ---- */

static void append_number(const struct otlp *otlp, const struct point *point)
{
    size_t place = otlp_element(otlp, OTLP_DATA_POINTS);
    otlp_time(otlp, OTLP_NUMBER_START, (uint64_t)point->command->start);
    otlp_time(otlp, OTLP_NUMBER_TIME, (uint64_t)now_epoch());
    otlp_time(otlp, OTLP_NUMBER_INT, point->row->sums.count);
    append_attributes(otlp, OTLP_NUMBER_ATTRIBUTES, point);
    otlp_close(otlp, place);
}

static void append_buckets(const struct otlp *otlp, enum otlp_field field,
                           const struct exponential *buckets)
{
    size_t place = otlp_open(otlp, field);
    otlp_signed(otlp, OTLP_BUCKETS_OFFSET, buckets->offset);
    otlp_counts(otlp, OTLP_BUCKETS_COUNTS, buckets->counts, buckets->count);
    otlp_close(otlp, place);
}

/* With values below zero there is no sum, which could fall. */
static void append_limits(const struct otlp *otlp, const struct point *point, double factor)
{
    double least = (double)aggregate_min(point->aggregate, point->row);
    struct aggregate_sum sum = aggregate_sum(point->aggregate, point->row);
    if (least >= 0)
        otlp_real(otlp, OTLP_POINT_SUM, (sum.is_exact ? (double)sum.whole : sum.estimate) * factor);
    otlp_real(otlp, OTLP_POINT_MIN, least * factor);
    otlp_real(otlp, OTLP_POINT_MAX, (double)aggregate_max(point->aggregate, point->row) * factor);
}

static void append_histogram(const struct otlp *otlp, const struct point *point)
{
    double factor = measured_is_latency(point->command) ? 1e-9 : 1;
    struct exponential positive, negative;
    uint64_t zeros = exponential_zeros(point->aggregate, point->row), count = zeros;
    exponential_make(&positive, point->aggregate, point->row, false, factor);
    exponential_make(&negative, point->aggregate, point->row, true, factor);
    exponential_align(&positive, &negative);
    for (size_t i = 0; i < MAX_EXPONENTIAL; i++)
        count += positive.counts[i] + negative.counts[i];
    size_t place = otlp_element(otlp, OTLP_DATA_POINTS);
    append_attributes(otlp, OTLP_POINT_ATTRIBUTES, point);
    otlp_time(otlp, OTLP_POINT_START, (uint64_t)point->command->start);
    otlp_time(otlp, OTLP_POINT_TIME, (uint64_t)now_epoch());
    otlp_time(otlp, OTLP_POINT_COUNT, count);
    append_limits(otlp, point, factor);
    otlp_signed(otlp, OTLP_POINT_SCALE, positive.scale);
    otlp_time(otlp, OTLP_POINT_ZEROS, zeros);
    append_buckets(otlp, OTLP_POINT_POSITIVE, &positive);
    append_buckets(otlp, OTLP_POINT_NEGATIVE, &negative);
    otlp_close(otlp, place);
}

/* Append all points; returns how many. */
static uint64_t append_points(const struct otlp *otlp, const struct measured *command)
{
    uint64_t count = 0;
    for (size_t i = 0; i < command->measure.count; i++) {
        struct aggregate aggregate;
        struct point point = {command, &command->measure.tables[i], &aggregate, NULL};
        measure_read(&aggregate, point.table);
        for (size_t k = 0; k < aggregate.count; k++) {
            point.row = &aggregate.rows[k];
            if (!point.row->sums.count)
                continue;
            count++;
            (command->request.action == LIVE_COUNT ? append_number : append_histogram)(otlp,
                                                                                       &point);
        }
        aggregate_free(&aggregate);
    }
    return count;
}

/* ---- The request. ---- */

static uint64_t append_metric(const struct otlp *otlp, const struct measured *command)
{
    const struct metric *what = &metrics[command->request.action];
    bool is_sum = command->request.action == LIVE_COUNT;
    size_t metric = otlp_element(otlp, OTLP_SCOPE_METRICS);
    otlp_text(otlp, OTLP_METRIC_NAME, slice_of(what->name));
    otlp_text(otlp, OTLP_METRIC_DESCRIPTION, slice_of(what->description));
    otlp_text(otlp, OTLP_METRIC_UNIT, slice_of(what->unit));
    size_t data = otlp_open(otlp, is_sum ? OTLP_METRIC_SUM : OTLP_METRIC_EXPONENTIAL);
    otlp_list(otlp, OTLP_DATA_POINTS);
    uint64_t count = append_points(otlp, command);
    otlp_end_list(otlp);
    otlp_choice(otlp, OTLP_DATA_TEMPORALITY, OTLP_CUMULATIVE);
    if (is_sum)
        otlp_flag(otlp, OTLP_SUM_MONOTONIC, true);
    otlp_close(otlp, data);
    otlp_close(otlp, metric);
    return count;
}

/* Of several processes, the first one's name stands for all. */
static void append_resource(const struct otlp *otlp, const struct target *target)
{
    char host[256] = "";
    bool is_one = target_count(target) == 1;
    gethostname(host, sizeof host - 1);
    otlp_resource(otlp, &(struct otlp_process){target->process.name, host,
                                               is_one ? (uint32_t)target->process.pid : 0});
}

void otlp_metrics_send(struct measured *command)
{
    struct bytes body = {0};
    const struct otlp otlp = {&body, false};
    size_t resource = otlp_element(&otlp, OTLP_REQUEST_METRICS);
    append_resource(&otlp, &command->target);
    size_t scope = otlp_element(&otlp, OTLP_RESOURCE_METRICS), name = otlp_open(&otlp, OTLP_SCOPE);
    otlp_text(&otlp, OTLP_SCOPE_NAME, slice_of("sdt"));
    otlp_close(&otlp, name);
    uint64_t count = append_metric(&otlp, command);
    otlp_close(&otlp, scope);
    otlp_close(&otlp, resource);
    if (count)
        otlp_live_send(command->live, OTLP_SIGNAL_METRICS, &body, count);
    bytes_free(&body);
}
