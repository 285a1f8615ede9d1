/* SPDX-License-Identifier: BSD-2-Clause */
/* See otlp_points.h. The positive and the negative buckets of a point have one scale: the lower
 * one. */
#include "otlp_points.h"

#include "base/now.h"
#include "exponential.h"
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

/* A data point. */
struct point {
    const struct otlp_points *of;
    const struct aggregate *aggregate;
    const struct aggregate_row *row;
};

static bool is_latency(const struct otlp_points *points)
{
    return points->action == LIVE_STOP;
}

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
    const char *label = aggregate_unique_label(key, i, point->of->look);
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

static void append_own(const struct otlp *otlp, enum otlp_field list, char *const *own)
{
    for (; own && *own; own++) {
        size_t length = strcspn(*own, "=");
        char *name = memory_format("%.*s", (int)length, *own);
        otlp_attribute_text(otlp, list, name, slice_of(*own + length + 1));
        free(name);
    }
}

static void append_attributes(const struct otlp *otlp, enum otlp_field list,
                              const struct point *point)
{
    const struct otlp_points *of = point->of;
    otlp_list(otlp, list);
    append_name(otlp, list, "sdt.provider", of->provider);
    append_name(otlp, list, "sdt.probe", of->name);
    if (is_latency(of))
        append_name(otlp, list, "sdt.end", of->more);
    else if (of->more)
        otlp_attribute_text(otlp, list, "sdt.expression", slice_of(of->more));
    append_own(otlp, list, of->own);
    for (unsigned i = 0; i < 2 && point->row->key.type[i]; i++)
        append_part(otlp, list, i ? "sdt.key2" : "sdt.key", point, i);
    otlp_end_list(otlp);
}

/* ---- Exemplars. ---- */

static void append_exemplar(const struct otlp *otlp, enum otlp_field list,
                            const struct otlp_points *points, const struct exemplar *exemplar)
{
    size_t place = otlp_element(otlp, list);
    otlp_list(otlp, OTLP_EXEMPLAR_ATTRIBUTES);
    otlp_elements(otlp, &exemplar->attributes);
    otlp_end_list(otlp);
    otlp_time(otlp, OTLP_EXEMPLAR_TIME, (uint64_t)exemplar->time);
    if (points->action == LIVE_COUNT)
        otlp_time(otlp, OTLP_EXEMPLAR_INT, (uint64_t)exemplar->value);
    else
        otlp_real(otlp, OTLP_EXEMPLAR_DOUBLE,
                  (double)exemplar->value * (is_latency(points) ? 1e-9 : 1));
    if (exemplar->has_span)
        otlp_id(otlp, OTLP_EXEMPLAR_SPAN, exemplar->span, sizeof exemplar->span);
    if (exemplar->has_trace)
        otlp_id(otlp, OTLP_EXEMPLAR_TRACE, exemplar->trace, sizeof exemplar->trace);
    otlp_close(otlp, place);
}

/* Those of the point's key that have come since the last time. */
static void append_exemplars(const struct otlp *otlp, enum otlp_field list,
                             const struct point *point)
{
    struct exemplars *exemplars = point->of->exemplars;
    otlp_list(otlp, list);
    for (size_t i = 0; exemplars && i < exemplars->count; i++) {
        struct exemplar *one = &exemplars->list[i];
        if (one->is_sent || !aggregate_is_same_key(&one->key, &point->row->key))
            continue;
        append_exemplar(otlp, list, point->of, one);
        one->is_sent = true;
    }
    otlp_end_list(otlp);
}

/* ---- Data points. ---- */

static void append_number(const struct otlp *otlp, const struct point *point)
{
    size_t place = otlp_element(otlp, OTLP_DATA_POINTS);
    otlp_time(otlp, OTLP_NUMBER_START, (uint64_t)point->of->start);
    otlp_time(otlp, OTLP_NUMBER_TIME, (uint64_t)now_epoch());
    append_exemplars(otlp, OTLP_NUMBER_EXEMPLARS, point);
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
    double factor = is_latency(point->of) ? 1e-9 : 1;
    struct exponential positive, negative;
    uint64_t zeros = exponential_zeros(point->aggregate, point->row), count = zeros;
    exponential_make(&positive, point->aggregate, point->row, false, factor);
    exponential_make(&negative, point->aggregate, point->row, true, factor);
    exponential_align(&positive, &negative);
    for (size_t i = 0; i < MAX_EXPONENTIAL; i++)
        count += positive.counts[i] + negative.counts[i];
    size_t place = otlp_element(otlp, OTLP_DATA_POINTS);
    append_attributes(otlp, OTLP_POINT_ATTRIBUTES, point);
    otlp_time(otlp, OTLP_POINT_START, (uint64_t)point->of->start);
    otlp_time(otlp, OTLP_POINT_TIME, (uint64_t)now_epoch());
    otlp_time(otlp, OTLP_POINT_COUNT, count);
    append_limits(otlp, point, factor);
    otlp_signed(otlp, OTLP_POINT_SCALE, positive.scale);
    otlp_time(otlp, OTLP_POINT_ZEROS, zeros);
    append_buckets(otlp, OTLP_POINT_POSITIVE, &positive);
    append_buckets(otlp, OTLP_POINT_NEGATIVE, &negative);
    append_exemplars(otlp, OTLP_POINT_EXEMPLARS, point);
    otlp_close(otlp, place);
}

uint64_t otlp_points_append(const struct otlp *otlp, const struct otlp_points *points,
                            const struct aggregate *aggregate)
{
    uint64_t count = 0;
    struct point point = {points, aggregate, NULL};
    for (size_t i = 0; i < aggregate->count; i++) {
        point.row = &aggregate->rows[i];
        if (!point.row->sums.count)
            continue;
        count++;
        (points->action == LIVE_COUNT ? append_number : append_histogram)(otlp, &point);
    }
    return count;
}

/* ---- The metric. ---- */

struct otlp_metric otlp_metric_begin(const struct otlp *otlp, enum live_action action)
{
    const struct metric *what = &metrics[action];
    struct otlp_metric open = {.is_sum = action == LIVE_COUNT};
    open.metric = otlp_element(otlp, OTLP_SCOPE_METRICS);
    otlp_text(otlp, OTLP_METRIC_NAME, slice_of(what->name));
    otlp_text(otlp, OTLP_METRIC_DESCRIPTION, slice_of(what->description));
    otlp_text(otlp, OTLP_METRIC_UNIT, slice_of(what->unit));
    open.data = otlp_open(otlp, open.is_sum ? OTLP_METRIC_SUM : OTLP_METRIC_EXPONENTIAL);
    otlp_list(otlp, OTLP_DATA_POINTS);
    return open;
}

void otlp_metric_end(const struct otlp *otlp, struct otlp_metric open)
{
    otlp_end_list(otlp);
    otlp_choice(otlp, OTLP_DATA_TEMPORALITY, OTLP_CUMULATIVE);
    if (open.is_sum)
        otlp_flag(otlp, OTLP_SUM_MONOTONIC, true);
    otlp_close(otlp, open.data);
    otlp_close(otlp, open.metric);
}

/* ---- The request. ---- */

struct otlp_scope otlp_scope_begin(const struct otlp *otlp, const char *program, pid_t pid)
{
    char host[256] = "";
    struct otlp_scope open = {.resource = otlp_element(otlp, OTLP_REQUEST_METRICS)};
    gethostname(host, sizeof host - 1);
    otlp_resource(otlp, &(struct otlp_process){program, host, (uint32_t)pid});
    open.scope = otlp_element(otlp, OTLP_RESOURCE_METRICS);
    size_t name = otlp_open(otlp, OTLP_SCOPE);
    otlp_text(otlp, OTLP_SCOPE_NAME, slice_of("sdt"));
    otlp_close(otlp, name);
    return open;
}

void otlp_scope_end(const struct otlp *otlp, struct otlp_scope open)
{
    otlp_close(otlp, open.scope);
    otlp_close(otlp, open.resource);
}
