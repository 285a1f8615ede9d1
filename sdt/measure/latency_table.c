/* SPDX-License-Identifier: BSD-2-Clause */
/* See latency_table.h. */
#include "latency_table.h"

#include "base/table.h"
#include "histogram.h"

#include <inttypes.h>
#include <stdlib.h>

static char *time_text(double ns)
{
    struct bytes text = {0};
    histogram_value(&text, (__int128)(ns + 0.5), true);
    return bytes_take_text(&text);
}

static void fill_row(char **cells, const struct aggregate *aggregate,
                     const struct aggregate_row *row, const struct key_look *look)
{
    static const double shares[] = {0.5, 0.9, 0.99};
    struct bytes key = {0};
    aggregate_key_text(&key, &row->key, look);
    *cells++ = bytes_take_text(&key);
    *cells++ = memory_format("%" PRIu64, row->sums.count);
    *cells++ = time_text(aggregate_double(aggregate_mean(aggregate, row)));
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        *cells++ = time_text(aggregate_double(aggregate_percentile(aggregate, row, shares[i])));
    *cells++ = time_text((double)aggregate_max(aggregate, row));
    /* All of them together: what this key costs. */
    struct aggregate_sum sum = aggregate_sum(aggregate, row);
    *cells = time_text(sum.is_exact ? (double)sum.whole : sum.estimate);
}

void latency_table_print(const struct aggregate *aggregate, size_t n, const struct key_look *look)
{
    const char *const count = aggregate->is_total ? "TOTAL" : "COUNT";
    const char *const titles[] = {"KEY", count, "MEAN", "P50", "P90", "P99", "MAX", "SUM"};
    struct table rows;
    table_start(&rows, titles, sizeof titles / sizeof *titles);
    for (size_t i = 0; i < n; i++)
        if (aggregate->rows[i].sums.count)
            fill_row(table_row(&rows), aggregate, &aggregate->rows[i], look);
    table_print(&rows);
}
