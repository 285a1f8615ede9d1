/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The first lines say what contributes most, a sentence for each: the rest is a table for those who
 * want numbers.
 */
#include "base/table.h"
#include "print/text.h"
#include "show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SENTENCES = 5 };

static void put(struct bytes *text)
{
    if (text->size)
        fwrite(text->data, 1, text->size, stdout);
    text->size = 0;
}

/* ---- Sentences. ---- */

static void print_sentences(const struct show *show)
{
    struct bytes text = {0};
    size_t findings = show->comparison->findings;
    size_t most = findings && findings < MOST_SENTENCES ? findings : MOST_SENTENCES;
    if (!findings)
        text_append(&text, "No difference is certain. The likeliest, perhaps by chance:\n");
    for (size_t i = 0; i < show->count && i < (findings ? most : 1); i++) {
        words_sentence(&text, &show->comparison->rows[i]);
        text_char(&text, '\n');
    }
    put(&text);
    bytes_free(&text);
}

/* ---- The table. ---- */

static char *text_of(void (*words)(struct bytes *to, const struct row *row), const struct row *row)
{
    struct bytes text = {0};
    words(&text, row);
    if (!text.size)
        text_char(&text, '-');
    return bytes_take_text(&text);
}

static char *interval_text(const struct row *row, int i)
{
    struct bytes text = {0};
    if (row->has_intervals)
        words_interval(&text, &row->changes[i]);
    else
        text_char(&text, '-');
    return bytes_take_text(&text);
}

static char *change_text(double change)
{
    struct bytes text = {0};
    words_change(&text, change);
    return bytes_take_text(&text);
}

static char *latency_text(const struct row *row, unsigned side)
{
    struct bytes text = {0};
    if (row->subject->end && row->sides[side].count)
        text_latency(&text, row->sides[side].statistics[CHANGE_MEAN]);
    else
        text_char(&text, '-');
    return bytes_take_text(&text);
}

static char *part_text(const struct row *row)
{
    struct bytes text = {0};
    if (row->subject->end)
        words_part(&text, row->part);
    else
        text_char(&text, '-');
    return bytes_take_text(&text);
}

static void print_table(const struct show *show)
{
    static const char *const titles[] = {"PAIR OR PROBE", "KEY",    "COUNT A",    "COUNT B",
                                         "MEAN A",        "MEAN B", "P50 [95 %]", "P99 [95 %]",
                                         "RATE",          "TIME/S", "FOUND"};
    struct table table;
    table_start(&table, titles, sizeof titles / sizeof *titles);
    for (size_t i = 0; i < show->count; i++) {
        struct row *row = &show->comparison->rows[i];
        struct bytes name = {0};
        char **cells = table_row(&table);
        row_find_intervals(show->comparison, row);
        text_escaped(&name, slice_of(row->subject->name));
        cells[0] = bytes_take_text(&name);
        cells[1] = text_of(words_key, row);
        cells[2] = memory_format("%" PRIu64, row->sides[0].count);
        cells[3] = memory_format("%" PRIu64, row->sides[1].count);
        cells[4] = latency_text(row, 0);
        cells[5] = latency_text(row, 1);
        cells[6] = interval_text(row, CHANGE_P50);
        cells[7] = interval_text(row, CHANGE_P99);
        cells[8] = change_text(row->rate_change);
        cells[9] = part_text(row);
        cells[10] = text_of(words_findings, row);
    }
    table_print(&table);
}

static void print_sides(const struct show *show)
{
    struct bytes text = {0};
    for (unsigned which = 0; which < 2; which++) {
        const struct side *side = &show->comparison->sides[which];
        text_append(&text, which ? "B: " : "A: ");
        text_escaped(&text, slice_of(side->directory));
        text_append(&text, ": ");
        words_side(&text, side);
        text_char(&text, '\n');
    }
    put(&text);
    bytes_free(&text);
}

void show_text(const struct show *show)
{
    print_sentences(show);
    putchar('\n');
    print_table(show);
    if (show->comparison->count > show->count)
        printf("%zu more rows; --top=0 shows all\n", show->comparison->count - show->count);
    putchar('\n');
    print_sides(show);
}
