/* SPDX-License-Identifier: BSD-2-Clause */
/* See exemplars.h. */
#include "exemplars.h"

#include "otlp/value.h"
#include "side_values.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, BUCKETS_OF_A_POWER = 8 };

/* ---- One. ---- */

/* As the process has divided values: by powers of two, or linear buckets. */
static uint64_t range_of(const struct live_table_spec *spec, uint64_t value)
{
    bool is_negative = spec->value == LIVE_SIGNED && (int64_t)value < 0;
    bool is_less =
        spec->value == LIVE_SIGNED ? (int64_t)value < spec->low : value < (uint64_t)spec->low;
    if (spec->value == LIVE_NONE || (spec->step && is_less))
        return 0;
    if (spec->step)
        return (value - (uint64_t)spec->low) / spec->step + 1;
    uint64_t range = live_bucket(is_negative ? ~value : value) / BUCKETS_OF_A_POWER;
    return is_negative ? range + LIVE_BUCKETS : range;
}

/* The words of a context are its bytes. */
static void take_context(struct exemplar *exemplar, const uint64_t context[3])
{
    exemplar->has_trace = context[0] || context[1];
    exemplar->has_span = context[2] != 0;
    memcpy(exemplar->trace, &context[0], sizeof exemplar->trace);
    memcpy(exemplar->span, &context[2], sizeof exemplar->span);
}

/* What an argument says counts more than what the thread says, as in recordings. */
static bool take_id(struct exemplar *exemplar, const struct side_value *value)
{
    if (!strcmp(value->field.name, "trace_id") &&
        otlp_id_read(exemplar->trace, sizeof exemplar->trace, &value->field, &value->value))
        return exemplar->has_trace = true;
    if (!strcmp(value->field.name, "span_id") &&
        otlp_id_read(exemplar->span, sizeof exemplar->span, &value->field, &value->value))
        return exemplar->has_span = true;
    return false;
}

/* Whether one of the COUNT values before VALUE has its name. */
static bool is_told(const struct side_value *list, size_t count, const struct side_value *value)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i].field.name, value->field.name))
            return true;
    return false;
}

/* Of where it began, and of where it ended what that has not said. */
static void take_sides(struct exemplar *exemplar, const struct live_exemplar *kept,
                       const struct outlier_probe *probes, size_t probe_count)
{
    struct side_value values[2 * SITE_MAX_ARGUMENTS];
    bool is_id[2 * SITE_MAX_ARGUMENTS];
    size_t count = 0;
    for (unsigned i = 0; i < 2; i++)
        if (kept->side[i].tid)
            count +=
                side_values(values + count, outlier_probe_of(probes, probe_count, &kept->side[i]),
                            &kept->side[i]);
    for (size_t i = 0; i < count; i++)
        is_id[i] = is_told(values, i, &values[i]) || take_id(exemplar, &values[i]);
    if (exemplar->has_trace)
        exemplar_append_id(exemplar, "trace_id", exemplar->trace, sizeof exemplar->trace);
    if (exemplar->has_span)
        exemplar_append_id(exemplar, "span_id", exemplar->span, sizeof exemplar->span);
    const struct otlp otlp = {&exemplar->attributes, false};
    otlp_attribute_integer(&otlp, OTLP_EXEMPLAR_ATTRIBUTES, "thread.id", kept->side[1].tid);
    for (size_t i = 0; i < count; i++) {
        if (is_id[i])
            continue;
        exemplar_append_value(exemplar, &values[i]);
        otlp_attribute_value(&otlp, OTLP_EXEMPLAR_ATTRIBUTES, values[i].field.name,
                             &values[i].field, &values[i].value);
    }
}

struct exemplar exemplar_make(const struct live_view *view, const struct live_exemplar *kept,
                              const struct outlier_probe *probes, size_t probe_count)
{
    const struct live_table *table = (const void *)view->memory;
    const struct live_table_spec *spec = &view->layout.spec;
    struct exemplar made = {
        .range = range_of(spec, kept->value),
        .value =
            spec->value == LIVE_SIGNED ? (__int128)(int64_t)kept->value : (__int128)kept->value,
        .time = (int64_t)((uint64_t)table->realtime + kept->time),
    };
    take_context(&made, kept->context);
    take_sides(&made, kept, probes, probe_count);
    return made;
}

static void free_one(struct exemplar *one)
{
    bytes_free(&one->labels);
    bytes_free(&one->attributes);
}

/* ---- All. ---- */

static struct exemplar *place_for(struct exemplars *exemplars, const struct exemplar *one)
{
    struct exemplar *oldest = exemplars->list;
    for (size_t i = 0; i < exemplars->count; i++) {
        struct exemplar *place = &exemplars->list[i];
        if (place->range == one->range && aggregate_is_same_key(&place->key, &one->key))
            return place;
        oldest = place->time < oldest->time ? place : oldest;
    }
    return exemplars->count == MOST ? oldest : NULL;
}

void exemplars_add(struct exemplars *exemplars, struct exemplar *one)
{
    struct exemplar *place = place_for(exemplars, one);
    if (place && place->time >= one->time) {
        free_one(one);
        return;
    }
    if (place) {
        free_one(place);
    } else {
        exemplars->list = memory_resize(exemplars->list, exemplars->count + 1, sizeof *place);
        place = &exemplars->list[exemplars->count++];
    }
    *place = *one;
}

static struct bytes copy_of(const struct bytes *from)
{
    struct bytes copy = {0};
    bytes_append(&copy, from->data, from->size);
    return copy;
}

void exemplars_add_all(struct exemplars *exemplars, const struct exemplars *more)
{
    for (size_t i = 0; i < more->count; i++) {
        struct exemplar copy = more->list[i];
        const struct exemplar *place = place_for(exemplars, &copy);
        if (place && place->time >= copy.time)
            continue;
        copy.labels = copy_of(&copy.labels);
        copy.attributes = copy_of(&copy.attributes);
        exemplars_add(exemplars, &copy);
    }
}

struct exemplar *exemplars_find(const struct exemplars *exemplars, const struct live_key *key,
                                __int128 low, __int128 high)
{
    struct exemplar *latest = NULL;
    for (size_t i = 0; i < exemplars->count; i++) {
        struct exemplar *one = &exemplars->list[i];
        if (one->value > low && one->value <= high && (!latest || one->time > latest->time) &&
            aggregate_is_same_key(&one->key, key))
            latest = one;
    }
    return latest;
}

void exemplars_free(struct exemplars *exemplars)
{
    for (size_t i = 0; i < exemplars->count; i++)
        free_one(&exemplars->list[i]);
    free(exemplars->list);
    *exemplars = (struct exemplars){0};
}
