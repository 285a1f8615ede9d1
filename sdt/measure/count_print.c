/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See count_print.h. A probe that could not be counted has no number: 0 would mean that it was not
 * hit.
 */
#include "count_print.h"

#include "base/json.h"
#include "base/now.h"
#include "base/table.h"
#include "base/text.h"
#include "openmetrics.h"
#include "print/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t hits_of(const struct count_row *row, enum schedule_part part)
{
    return part == SCHEDULE_INTERVAL ? row->total - row->previous : row->total;
}

/* ---- For people. ---- */

struct count_line {
    const struct count_row *row;
    uint64_t hits;
};

static int by_hits(const void *left, const void *right)
{
    const struct count_line *a = left, *b = right;
    return a->hits != b->hits ? (a->hits < b->hits ? 1 : -1) : a->row < b->row ? -1 : 1;
}

static struct count_line *sorted_lines(const struct count_rows *rows, enum schedule_part part)
{
    struct count_line *lines = memory_zeroed(rows->count + 1, sizeof *lines);
    for (size_t i = 0; i < rows->count; i++)
        lines[i] = (struct count_line){&rows->row[i], hits_of(&rows->row[i], part)};
    qsort(lines, rows->count, sizeof *lines, by_hits);
    return lines;
}

/* Rows with hits, the most first; of many, the others are a number. */
static void print_table(const struct count_rows *rows, enum schedule_part part, double seconds)
{
    enum { MANY = 20 };
    const char *const titles[] = {"PROBE", part == SCHEDULE_TOTAL ? "TOTAL" : "COUNT", "RATE"};
    size_t silent = 0;
    struct table table;
    struct count_line *lines = sorted_lines(rows, part);
    table_start(&table, titles, 3);
    for (size_t i = 0; i < rows->count; i++) {
        bool is_known = count_row_is_known(lines[i].row), is_silent = is_known && !lines[i].hits;
        silent += is_silent;
        if (is_silent && rows->count > MANY)
            continue;
        char **cells = table_row(&table);
        cells[0] = label_of(lines[i].row->provider, lines[i].row->name);
        cells[1] = is_known ? memory_format("%" PRIu64, lines[i].hits) : memory_format("?");
        cells[2] = is_known ? memory_format("%.1f/s", (double)lines[i].hits / seconds)
                            : memory_format("?");
    }
    table_print(&table);
    if (silent && rows->count > MANY)
        printf("%zu probes were not hit\n", silent);
    free(lines);
}

/* ---- For scripts. ---- */

static void print_json(const struct count_row *row, enum schedule_part part, double seconds)
{
    struct bytes text = {0};
    uint64_t hits = hits_of(row, part);
    json_open(&text, NULL, '{');
    json_integer(&text, "time", now_epoch());
    json_string(&text, "provider", row->provider);
    json_string(&text, "name", row->name);
    if (count_row_is_known(row)) {
        char *rate = memory_format("%.1f", (double)hits / seconds);
        json_natural(&text, "count", hits);
        json_key(&text, "rate");
        text_append(&text, rate);
        free(rate);
    } else {
        json_null(&text, "count");
        json_null(&text, "rate");
    }
    text_append(&text, part == SCHEDULE_TOTAL ? ", \"total\": true}\n" : "}\n");
    json_finish(&text);
}

void count_print_openmetrics(const struct count_rows *rows, const struct target *target,
                             struct metrics_file *file)
{
    struct bytes text = {0};
    enum openmetrics_form form = metrics_file_form(file);
    openmetrics_begin(&text, OPENMETRICS_HITS, form);
    for (size_t i = 0; i < rows->count; i++) {
        const struct count_row *row = &rows->row[i];
        struct openmetrics_labels labels = {.provider = row->provider,
                                            .name = row->name,
                                            .program = target_program(target),
                                            .pid = target_pid(target)};
        if (count_row_is_known(row))
            openmetrics_count(&text, &labels, row->total);
    }
    openmetrics_end(&text, form);
    metrics_file_put(file, &text);
    bytes_free(&text);
}

void count_print(struct count_rows *rows, enum count_format format, enum schedule_part part,
                 double seconds)
{
    if (format == COUNT_TABLE)
        print_table(rows, part, seconds);
    for (size_t i = 0; i < rows->count; i++) {
        if (format == COUNT_JSON)
            print_json(&rows->row[i], part, seconds);
        rows->row[i].previous = rows->row[i].total;
    }
}
