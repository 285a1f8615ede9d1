/* SPDX-License-Identifier: BSD-2-Clause */
/* See outliers.h: printing. Values look as sdt report shows them. */
#include "base/json.h"
#include "outliers.h"
#include "print/label.h"
#include "print/text.h"
#include "side_values.h"
#include "trace/value_text.h"

#include <string.h>

static void append_arguments(struct bytes *to, const struct outlier_probe *probe,
                             const struct live_side *side, bool is_json)
{
    struct side_value values[SITE_MAX_ARGUMENTS];
    size_t count = side_values(values, probe, side);
    for (size_t i = 0; i < count; i++) {
        const struct side_value *one = &values[i];
        if (is_json) {
            json_key(to, one->field.name);
            text_json_value(to, &one->field, &one->value);
            continue;
        }
        text_append(to, i ? " " : "  ");
        text_escaped(to, slice_of(one->field.name));
        text_char(to, '=');
        text_value(to, &one->field, &one->value);
        text_unit(to, &one->field, &one->value);
    }
}

/* ---- For people. ---- */

static void append_side(struct bytes *to, const struct outliers *outliers,
                        const struct live_side *side)
{
    const struct outlier_probe *probe =
        outlier_probe_of(outliers->probes, outliers->probe_count, side);
    text_append(to, "    ");
    label_append(to, probe->provider ? probe->provider : "?", probe->name ? probe->name : "?");
    append_arguments(to, probe, side, false);
    text_char(to, '\n');
}

static int64_t time_of(const struct outliers *outliers, const struct live_outlier *one)
{
    return (int64_t)((uint64_t)outliers->realtime + one->time);
}

void outliers_text(struct bytes *to, const struct outliers *outliers)
{
    if (outliers->count)
        text_append(to, "slowest\n");
    for (size_t i = 0; i < outliers->count; i++) {
        const struct live_outlier *one = &outliers->list[i];
        text_append(to, "  ");
        histogram_value(to, (__int128)one->ns, true);
        text_append(to, "  until ");
        text_time(to, time_of(outliers, one));
        text_append(to, "  thread ");
        text_natural(to, one->side[0].tid);
        if (one->side[1].tid != one->side[0].tid) {
            text_append(to, " to ");
            text_natural(to, one->side[1].tid);
        }
        text_char(to, '\n');
        append_side(to, outliers, &one->side[0]);
        append_side(to, outliers, &one->side[1]);
    }
    if (outliers->count)
        text_char(to, '\n');
}

/* ---- For scripts. ---- */

static void append_json_side(struct bytes *to, const char *key, const struct outliers *outliers,
                             const struct live_side *side)
{
    const struct outlier_probe *probe =
        outlier_probe_of(outliers->probes, outliers->probe_count, side);
    json_open(to, key, '{');
    json_string(to, "provider", probe->provider ? probe->provider : "");
    json_string(to, "name", probe->name ? probe->name : "");
    json_natural(to, "tid", side->tid);
    json_open(to, "args", '{');
    append_arguments(to, probe, side, true);
    text_append(to, "}}");
}

void outliers_json(struct bytes *to, const struct outliers *outliers)
{
    for (size_t i = 0; i < outliers->count; i++) {
        const struct live_outlier *one = &outliers->list[i];
        json_open(to, NULL, '{');
        json_natural(to, "outlier", i + 1);
        json_natural(to, "latency", one->ns);
        json_integer(to, "time", time_of(outliers, one));
        append_json_side(to, "begin", outliers, &one->side[0]);
        append_json_side(to, "end", outliers, &one->side[1]);
        text_append(to, "}\n");
    }
}
