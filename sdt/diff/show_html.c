/* SPDX-License-Identifier: BSD-2-Clause */
/* See page.h: the order of the page, and its file, which appears when it is complete. */
#include "base/output.h"
#include "diff_page.h"
#include "page.h"
#include "print/text.h"

#include <stdio.h>
#include <stdlib.h>

/* Rows with a picture each. */
enum { MOST_CURVES = 100 };

void page_text(struct bytes *to, struct slice text)
{
    for (size_t i = 0; i < text.length; i++) {
        const char *spelling = text.text[i] == '<'   ? "&lt;"
                               : text.text[i] == '>' ? "&gt;"
                               : text.text[i] == '&' ? "&amp;"
                               : text.text[i] == '"' ? "&quot;"
                                                     : NULL;
        if (spelling)
            text_append(to, spelling);
        else
            text_char(to, text.text[i]);
    }
}

void page_number(struct bytes *to, const char *before, double number, const char *after)
{
    char *text = memory_format("%s%.7g%s", before, number, after);
    text_append(to, text);
    free(text);
}

void page_words(struct bytes *to, void (*words)(struct bytes *to, const struct row *row),
                const struct row *row)
{
    struct bytes text = {0};
    words(&text, row);
    page_text(to, (struct slice){(const char *)text.data, text.size});
    bytes_free(&text);
}

static void append_side(struct bytes *to, const struct side *side, const char *name)
{
    struct bytes text = {0};
    text_append(&text, name);
    text_escaped(&text, slice_of(side->directory));
    text_append(&text, ": ");
    words_side(&text, side);
    text_append(to, "<p>");
    page_text(to, (struct slice){(const char *)text.data, text.size});
    text_append(to, "</p>\n");
    bytes_free(&text);
}

static void append_header(struct bytes *to, const struct show *show)
{
    text_append(to, "<header><div class=\"title\"><h1>sdt diff</h1>\n");
    append_side(to, &show->comparison->sides[0], "A: ");
    append_side(to, &show->comparison->sides[1], "B: ");
    text_append(to, "</div></header>\n<main>\n");
}

static void begin_panel(struct bytes *to, const char *title, const char *hint)
{
    text_append(to, "<section class=\"panel\"><div class=\"bar\"><h2>");
    text_append(to, title);
    text_append(to, "</h2><span class=\"muted\">");
    text_append(to, hint);
    text_append(to, "</span></div>\n");
}

static void append_findings(struct bytes *to, const struct show *show)
{
    begin_panel(to, "Findings", "what contributes most to the change of time, first");
    text_append(to, "<ol class=\"findings\">\n");
    for (size_t i = 0; i < show->count; i++) {
        const struct row *row = &show->comparison->rows[i];
        if (!row->findings)
            continue;
        text_append(to, "<li>");
        page_words(to, words_sentence, row);
        text_append(to, "</li>\n");
    }
    text_append(to, "</ol>\n");
    if (!show->comparison->findings)
        text_append(to, "<p class=\"key\">No difference is certain.</p>\n");
    text_append(to, "</section>\n");
}

static void append_tree(struct bytes *to, const struct show *show)
{
    if (show->tree->count < 2)
        return;
    begin_panel(to, "Pairs",
                "as wide as their time in A and B; red: their own time is longer in B, blue: "
                "shorter");
    page_tree(to, show->comparison, show->tree);
    text_append(to, "</section>\n");
}

/* ---- Rows. ---- */

static void append_change(struct bytes *to, const char *name, const struct change *change)
{
    text_append(to, ", ");
    text_append(to, name);
    text_char(to, ' ');
    words_interval(to, change);
}

static void append_numbers(struct bytes *to, const struct row *row)
{
    char *text = memory_format("%.1f to %.1f a second, ", row->sides[0].rate, row->sides[1].rate);
    text_append(to, text);
    words_change(to, row->rate_change);
    if (row->has_intervals) {
        append_change(to, "mean", &row->changes[CHANGE_MEAN]);
        append_change(to, "p50", &row->changes[CHANGE_P50]);
        append_change(to, "p90", &row->changes[CHANGE_P90]);
        append_change(to, "p99", &row->changes[CHANGE_P99]);
    }
    if (row->subject->end) {
        text_append(to, "; ");
        words_part(to, row->part);
        text_append(to, " in each second");
    }
    free(text);
}

static void append_row(struct bytes *to, const struct show *show, struct row *row, bool is_open)
{
    row_find_intervals(show->comparison, row);
    text_append(to, is_open ? "<details open><summary>" : "<details><summary>");
    page_words(to, words_row, row);
    text_append(to, " <span class=\"found\">");
    page_words(to, words_findings, row);
    text_append(to, "</span></summary>\n<p class=\"muted\">");
    append_numbers(to, row);
    text_append(to, "</p>\n");
    if (row_has_latencies(row))
        page_curves(to, show->comparison, row);
    text_append(to, "</details>\n");
}

static void append_rows(struct bytes *to, const struct show *show)
{
    begin_panel(to, "Rows", "changes from A to B, with 95 % intervals");
    text_append(to,
                "<p class=\"key\"><span class=\"a\"></span> A <span class=\"b\"></span> B</p>\n");
    for (size_t i = 0; i < show->count && i < MOST_CURVES; i++)
        append_row(to, show, &show->comparison->rows[i], i == 0);
    text_append(to, "</section>\n</main>\n");
}

int show_html(const struct show *show, const char *path)
{
    struct output output = {.fd = -1};
    struct bytes text = {0};
    bytes_append(&text, diff_page_before, diff_page_before_size);
    append_header(&text, show);
    append_findings(&text, show);
    append_tree(&text, show);
    append_rows(&text, show);
    bytes_append(&text, diff_page_after, diff_page_after_size);
    int status = output_open(&output, path, 0);
    if (status == 0)
        status = output_put(&output, text.data, text.size, 0);
    if (status == 0)
        status = output_finish(&output, text.size);
    if (status == 0)
        status = output_commit(&output);
    output_abandon(&output);
    bytes_free(&text);
    return status == 0 ? 0 : -1;
}
