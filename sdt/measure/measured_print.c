/* SPDX-License-Identifier: BSD-2-Clause */
/* See measured_print.h. */
#include "measured_print.h"

#include "base/diag.h"
#include "base/escape_append.h"
#include "base/now.h"
#include "base/table.h"
#include "latency_table.h"
#include "openmetrics.h"
#include "otlp_metrics.h"
#include "print/label.h"
#include "print/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t shown(const struct measured *command, const struct aggregate *aggregate)
{
    return command->most && command->most < aggregate->count ? command->most : aggregate->count;
}

static void put(struct bytes *text)
{
    if (text->size)
        fwrite(text->data, 1, text->size, stdout);
    text->size = 0;
}

static void print_json(const struct measured *command, const struct measure_table *table,
                       const struct aggregate *aggregate, double seconds)
{
    struct bytes line = {0};
    size_t count = command->has_most ? shown(command, aggregate) : aggregate->count;
    for (size_t i = 0; i < count; i++) {
        const struct aggregate_row *row = &aggregate->rows[i];
        if (command->request.action == LIVE_COUNT)
            aggregate_json_count(&line, now_epoch(), table->provider, table->name, aggregate, row,
                                 table->look, (double)row->sums.count / seconds);
        else if (row->sums.count)
            aggregate_json_histogram(&line, table->provider, table->name, aggregate, row,
                                     table->look);
        put(&line);
    }
    bytes_free(&line);
}

static enum openmetrics_family family_of(const struct measured *command)
{
    return command->request.action == LIVE_COUNT  ? OPENMETRICS_HITS
           : command->request.action == LIVE_STOP ? OPENMETRICS_LATENCY
                                                  : OPENMETRICS_VALUES;
}

static void print_openmetrics(struct measured *command, struct measure_table *table,
                              const struct aggregate *aggregate)
{
    struct bytes *text = &command->exposition;
    measure_look_for_exemplars(&command->measure, table);
    enum openmetrics_family family = family_of(command);
    struct openmetrics_labels labels = {
        .provider = table->provider,
        .name = table->name,
        .program = target_program(&command->target),
        .pid = target_pid(&command->target),
        .more = measured_is_latency(command) ? command->request.clauses.pattern[1]
                                             : command->request.clauses.value,
        .look = table->look,
        .exemplars = &table->exemplars,
    };
    for (size_t i = 0; i < aggregate->count; i++) {
        const struct aggregate_row *row = &aggregate->rows[i];
        labels.key = &row->key;
        if (family == OPENMETRICS_HITS)
            openmetrics_count(text, &labels, row->sums.count);
        else
            openmetrics_histogram(text, family, &labels, aggregate, row);
    }
}

static void print_counts(const struct measured *command, const struct measure_table *table,
                         const struct aggregate *aggregate, double seconds)
{
    const char *const count = aggregate->is_total ? "TOTAL" : "COUNT";
    const char *const titles[] = {"PROBE", "KEY", count, "RATE"};
    const char *const keyless[] = {"PROBE", count, "RATE"};
    bool has_key = table->spec.key[0];
    struct table rows;
    if (aggregate->count == 0) {
        char *label = label_of(table->provider, table->name);
        printf("%s: no hits\n", label);
        free(label);
        return;
    }
    table_start(&rows, has_key ? titles : keyless, has_key ? 4 : 3);
    for (size_t i = 0; i < shown(command, aggregate); i++) {
        const struct aggregate_row *row = &aggregate->rows[i];
        struct bytes label = {0}, key = {0};
        label_append(&label, table->provider, table->name);
        char **cells = table_row(&rows);
        *cells++ = bytes_take_text(&label);
        if (has_key) {
            aggregate_key_text(&key, &row->key, table->look);
            *cells++ = bytes_take_text(&key);
        }
        cells[0] = memory_format("%" PRIu64, row->sums.count);
        cells[1] = memory_format("%.1f/s", (double)row->sums.count / seconds);
    }
    table_print(&rows);
}

static void append_title(struct bytes *to, const struct measured *command,
                         const struct measure_table *table, const struct aggregate_row *row)
{
    const char *function = command->request.clauses.function;
    if (function)
        escape_append(to, slice_of(function));
    else
        label_append(to, table->provider, table->name);
    if (measured_is_latency(command) && !function) {
        text_append(to, " to ");
        label_part_append(to, command->request.clauses.pattern[1]);
    } else if (!function) {
        text_append(to, "  ");
        escape_append(to, slice_of(command->request.clauses.value));
    }
    if (row->key.type[0]) {
        text_append(to, "  ");
        aggregate_key_text(to, &row->key, table->look);
    }
    text_char(to, '\n');
}

/* What is inlined has symbols and probes for other callers: no calls here is often that. */
static void append_none(struct bytes *to, const struct measured *command)
{
    text_append(to, command->request.clauses.function
                        ? "no calls (where the compiler has inlined the function, it has none)\n"
                        : "no values\n");
}

static void print_histograms(const struct measured *command, const struct measure_table *table,
                             const struct aggregate *aggregate)
{
    struct bytes text = {0};
    if (aggregate->count == 0) { /* no key yet */
        append_title(&text, command, table, &(struct aggregate_row){0});
        append_none(&text, command);
        text_char(&text, '\n');
        put(&text);
    }
    for (size_t i = 0; i < shown(command, aggregate); i++) {
        const struct aggregate_row *row = &aggregate->rows[i];
        append_title(&text, command, table, row);
        if (row->sums.count == 0) {
            append_none(&text, command);
        } else {
            histogram_summary(&text, aggregate, row, &command->style);
            text_char(&text, '\n');
            histogram_bars(&text, aggregate, row, &command->style);
        }
        text_char(&text, '\n');
        put(&text);
    }
    bytes_free(&text);
}

/* A row for each key. */
static void print_latencies(const struct measured *command, const struct measure_table *table,
                            const struct aggregate *aggregate)
{
    struct bytes text = {0};
    append_title(&text, command, table, &(struct aggregate_row){0});
    if (aggregate->count == 0)
        append_none(&text, command);
    put(&text);
    if (aggregate->count)
        latency_table_print(aggregate, shown(command, aggregate), table->look);
    text_char(&text, '\n');
    put(&text);
    bytes_free(&text);
}

/* Those of the slowest that have come since they were last shown. */
static void print_outliers(const struct measured *command, struct measure_table *table)
{
    struct outliers outliers = measure_outliers(&command->measure, table), all = outliers;
    struct bytes text = {0};
    outliers.list = memory_zeroed(all.count + 1, sizeof *all.list);
    memcpy(outliers.list, all.list, all.count * sizeof *all.list);
    outliers_subtract(&outliers, &table->last_outliers);
    free(table->last_outliers.list);
    table->last_outliers = all;
    (command->is_json ? outliers_json : outliers_text)(&text, &outliers);
    put(&text);
    bytes_free(&text);
    free(outliers.list);
}

/* NUMBER hits of the table's probe, or of the probe at the END of a latency, did that. */
static void note_hits(const struct measure_table *table, const char *end, uint64_t number,
                      const char *what, const char *advice)
{
    struct bytes label = {0};
    if (end)
        escape_append(&label, slice_of(end));
    else
        label_append(&label, table->provider, table->name);
    char *who = bytes_take_text(&label), *text = memory_format("%" PRIu64 " hits %s", number, what);
    if (number)
        diag_warn(&(struct diag_place){.file = who}, text, advice);
    free(text);
    free(who);
}

static void note(const struct measure_table *table, uint64_t number, const char *what)
{
    note_hits(table, NULL, number, what, NULL);
}

/* What is not in the numbers above. */
static void print_notes(const struct measured *command, const struct measure_table *table,
                        const struct aggregate *aggregate)
{
    note(table, aggregate->overflow, "found no room for their key: see --keys");
    note(table, aggregate->missing, "had no value, or no key");
    if (!command->request.clauses.predicate[0]) /* else that is meant */
        note_hits(table, command->request.clauses.pattern[1], aggregate->unmatched,
                  "ended what had not begun", NULL);
    if (measured_is_latency(command)) {
        /* An event loop has many requests open in one thread. */
        char *advice = measure_how_to_pair(&command->measure);
        note_hits(table, NULL, aggregate->restarted, "began what had not ended", advice);
        free(advice);
    }
    note(table, aggregate->unkept, "were among the slowest, and there was no place for them");
    note(table, aggregate->evicted, "began more than is remembered: the oldest were given up");
}

static void print_numbers(struct measured *command, struct measure_table *table,
                          const struct aggregate *aggregate, double seconds)
{
    if (command->is_json)
        print_json(command, table, aggregate, seconds);
    else if (command->is_openmetrics)
        print_openmetrics(command, table, aggregate);
    else {
        if (command->request.action == LIVE_COUNT)
            print_counts(command, table, aggregate, seconds);
        else if (measured_is_latency(command) && table->spec.key[0] && !command->has_histograms)
            print_latencies(command, table, aggregate);
        else
            print_histograms(command, table, aggregate);
        size_t hidden = aggregate->count - shown(command, aggregate);
        if (hidden)
            printf("%zu more keys; --top=0 shows all\n", hidden);
    }
}

/* With an interval, what has come since the last one; OpenMetrics knows totals only. */
static void print_table(struct measured *command, struct measure_table *table, double seconds)
{
    struct aggregate part, all;
    measure_read(&part, table);
    if (schedule_has_intervals(&command->schedule) && !command->is_openmetrics) {
        aggregate_copy(&all, &part);
        aggregate_subtract(&part, &table->last);
        aggregate_free(&table->last);
        table->last = all;
    }
    print_numbers(command, table, &part, seconds);
    if (command->request.outliers)
        print_outliers(command, table);
    print_notes(command, table, &part);
    aggregate_free(&part);
}

static void print_tables(struct measured *command, enum schedule_part part)
{
    double seconds = schedule_seconds_of(&command->schedule, part);
    for (size_t i = 0; i < command->measure.count; i++) {
        struct measure_table *table = &command->measure.tables[i];
        table->last.is_total = part == SCHEDULE_TOTAL;
        if (part == SCHEDULE_TOTAL) /* of the same reading as the last interval */
            print_numbers(command, table, &table->last, seconds);
        else
            print_table(command, table, seconds);
    }
}

static void send_last(struct measured *command)
{
    otlp_metrics_send(command);
    for (size_t i = 0; i < command->measure.count; i++) {
        struct aggregate all;
        measure_read(&all, &command->measure.tables[i]);
        print_notes(command, &command->measure.tables[i], &all);
        aggregate_free(&all);
    }
}

void measured_print(struct measured *command)
{
    if (command->live) {
        otlp_metrics_send(command);
        return;
    }
    bool has_intervals = schedule_has_intervals(&command->schedule);
    enum openmetrics_form form = metrics_file_form(&command->metrics);
    if (command->is_openmetrics)
        openmetrics_begin(&command->exposition, family_of(command), form);
    print_tables(command, has_intervals ? SCHEDULE_INTERVAL : SCHEDULE_ALL);
    if (command->is_openmetrics) {
        openmetrics_end(&command->exposition, form);
        metrics_file_put(&command->metrics, &command->exposition);
    }
    fflush(stdout);
}

void measured_print_last(struct measured *command)
{
    if (command->live) {
        send_last(command);
        return;
    }
    measured_print(command);
    if (schedule_has_intervals(&command->schedule) && !command->is_openmetrics)
        print_tables(command, SCHEDULE_TOTAL);
    fflush(stdout);
}
