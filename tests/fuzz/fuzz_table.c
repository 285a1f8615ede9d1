/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: tables of live aggregations, as a hostile process may make them. The input is a spec and
 * then the contents, again and again; or all of a table. It can be read and shown, whatever it is.
 */
#include "measure/aggregate.h"
#include "measure/histogram.h"
#include "measure/outliers.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

static void show(const struct aggregate *aggregate)
{
    struct histogram_style style = {.width = 80, .is_utf8 = aggregate->count % 2};
    static const struct describe_label labels[] = {{1, "one"}, {2, "\033"}};
    const struct key_look look[2] = {{.is_hex = true}, {.labels = labels, .label_count = 2}};
    struct bytes text = {0};
    for (size_t i = 0; i < aggregate->count && i < 20; i++) {
        const struct aggregate_row *row = &aggregate->rows[i];
        aggregate_key_text(&text, &row->key, look);
        aggregate_json_count(&text, 0, "p", "n", aggregate, row, look, 1);
        if (!aggregate->layout.spec.value)
            continue;
        aggregate_json_histogram(&text, "p", "n", aggregate, row, look);
        histogram_summary(&text, aggregate, row, &style);
        histogram_bars(&text, aggregate, row, &style);
        struct aggregate_real median = aggregate_percentile(aggregate, row, 0.5);
        target_require(!row->sums.count || (median.whole >= aggregate_min(aggregate, row) &&
                                            median.whole <= aggregate_max(aggregate, row)),
                       "the median is between the smallest and the largest");
    }
    for (size_t i = 0; i < text.size; i++)
        target_require(text.data[i] != 0x1b, "no escape sequence gets through");
    bytes_free(&text);
}

/* The slowest, of programs of which two are known. */
static void show_outliers(const struct live_view *view)
{
    struct site_arguments *arguments = site_arguments_read(
        "a:int32;1=one b:string c:string_view d:bytes n:length e:double[] n2:length f:bool");
    const struct outlier_probe probes[2] = {
        {"p", "begin", arguments, compile_kept(arguments->list, arguments->count), 0},
        {"p", "end", arguments, 0, 1}};
    struct outliers outliers = outliers_read(view, 100);
    struct bytes text = {0};
    outliers.probes = probes;
    outliers.probe_count = 2;
    outliers_text(&text, &outliers);
    outliers_json(&text, &outliers);
    for (size_t i = 0; i < text.size; i++)
        target_require(text.data[i] != 0x1b, "no escape sequence gets through");
    bytes_free(&text);
    free(outliers.list);
    site_arguments_free(arguments);
}

static void read_twice(const uint8_t *memory, size_t size)
{
    struct live_view view;
    struct aggregate before, now;
    if (!live_table_open(&view, memory, size))
        return;
    aggregate_read(&before, &view);
    show(&before);
    show_outliers(&view);
    aggregate_read(&now, &view);
    aggregate_subtract(&now, &before);
    show(&now);
    aggregate_free(&before);
    aggregate_free(&now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 4 << 20 };
    struct live_table_spec spec;
    struct live_layout layout;
    uint8_t *memory = malloc(size + 8);
    target_require(memory, "there is memory");
    if (size)
        memcpy(memory, data, size);
    read_twice(memory, size);
    free(memory);
    if (size <= sizeof spec)
        return 0;
    memcpy(&spec, data, sizeof spec);
    if (!live_table_plan(&layout, &spec, 2) || layout.size > MOST)
        return 0;
    memory = malloc(layout.size);
    target_require(memory, "there is memory");
    for (size_t at = 0; at < layout.size; at++)
        memory[at] = data[sizeof spec + at % (size - sizeof spec)];
    live_table_make(memory, &layout);
    read_twice(memory, layout.size);
    free(memory);
    return 0;
}
