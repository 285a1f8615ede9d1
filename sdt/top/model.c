/* SPDX-License-Identifier: BSD-2-Clause */
/* See model.h. */
#include "model.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct top_row *top_row_of(struct top_model *model, const char *label)
{
    for (size_t i = 0; i < model->count; i++)
        if (!strcmp(model->rows[i].label, label))
            return &model->rows[i];
    if (model->count == model->capacity) {
        model->capacity = model->capacity ? 2 * model->capacity : 64;
        model->rows = memory_resize(model->rows, model->capacity, sizeof *model->rows);
        model->shown = memory_resize(model->shown, model->capacity, sizeof *model->shown);
    }
    struct top_row *row = &model->rows[model->count++];
    *row = (struct top_row){.label = memory_format("%s", label)};
    return row;
}

void top_begin(struct top_model *model)
{
    for (size_t i = 0; i < model->count; i++)
        model->rows[i].is_seen = false;
}

void top_count(struct top_row *row, uint64_t hits, double seconds)
{
    bool is_first = !row->is_counted;
    if (!is_first && seconds > 0) {
        double rate = hits > row->hits ? (double)(hits - row->hits) / seconds : 0;
        row->rate = rate;
        row->history[row->next] = rate;
        row->next = (row->next + 1) % TOP_HISTORY;
        row->count += row->count < TOP_HISTORY;
    }
    row->is_counted = true;
    row->hits = hits;
}

static double share(uint64_t now, uint64_t before, double seconds)
{
    return now > before && seconds > 0 ? (double)(now - before) / 1e9 / seconds : 0;
}

void top_time(struct top_row *row, uint64_t self, uint64_t total, double seconds)
{
    row->time = (struct top_time){self, total, share(self, row->time.self, seconds),
                                  share(total, row->time.total, seconds)};
}

/* ---- Which rows, in which order. ---- */

void top_next_order(struct top_model *model)
{
    bool is_shown;
    do {
        model->order = (model->order + 1) % TOP_ORDERS;
        is_shown = model->order == TOP_BY_LATENCY  ? !model->has_functions
                   : model->order > TOP_BY_LATENCY ? model->has_functions
                                                   : true;
    } while (!is_shown);
    model->is_reversed = false;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool begins(const char *text, const char *part)
{
    while (*part && lower(*text) == lower(*part)) {
        text++;
        part++;
    }
    return !*part;
}

static bool has_part(const char *text, const char *part)
{
    while (*text && !begins(text, part))
        text++;
    return *text || !*part;
}

static int order_of(double a, double b) /* the higher first */
{
    return (a < b) - (a > b);
}

/* Where equal rows of the chosen column would change places at each update, the name decides. */
static int compare(const struct top_model *model, const struct top_row *a, const struct top_row *b)
{
    int order = 0;
    if (model->order == TOP_BY_RATE)
        order = order_of(a->rate, b->rate);
    else if (model->order == TOP_BY_HITS)
        order = order_of((double)a->hits, (double)b->hits);
    else if (model->order == TOP_BY_LATENCY)
        order = order_of(a->latency.is_known ? a->latency.p99 : -1,
                         b->latency.is_known ? b->latency.p99 : -1);
    else if (model->order == TOP_BY_SELF)
        order = order_of(a->time.self_share, b->time.self_share);
    else if (model->order == TOP_BY_TOTAL)
        order = order_of(a->time.total_share, b->time.total_share);
    if (order == 0 && model->order != TOP_BY_NAME)
        return strcmp(a->label, b->label);
    if (model->order == TOP_BY_NAME)
        order = strcmp(a->label, b->label);
    return model->is_reversed ? -order : order;
}

static int compare_shown(const void *a, const void *b, void *data)
{
    const struct top_model *model = data;
    return compare(model, &model->rows[*(const size_t *)a], &model->rows[*(const size_t *)b]);
}

void top_arrange(struct top_model *model)
{
    size_t kept = model->selected < model->shown_count ? model->shown[model->selected] : SIZE_MAX;
    model->shown_count = 0;
    for (size_t i = 0; i < model->count; i++)
        if (model->rows[i].is_seen && has_part(model->rows[i].label, model->filter))
            model->shown[model->shown_count++] = i;
    if (model->shown_count)
        qsort_r(model->shown, model->shown_count, sizeof *model->shown, compare_shown, model);
    for (size_t i = 0; i < model->shown_count; i++)
        if (model->shown[i] == kept)
            model->selected = i;
    top_move(model, 0, SIZE_MAX);
}

void top_move(struct top_model *model, long lines, size_t visible)
{
    size_t last = model->shown_count ? model->shown_count - 1 : 0;
    long wanted = (long)model->selected + lines;
    model->selected = wanted < 0 ? 0 : (size_t)wanted > last ? last : (size_t)wanted;
    if (visible == SIZE_MAX)
        return;
    if (model->selected < model->first)
        model->first = model->selected;
    if (visible && model->selected >= model->first + visible)
        model->first = model->selected - visible + 1;
    if (model->first + visible > model->shown_count)
        model->first = model->shown_count > visible ? model->shown_count - visible : 0;
}

struct top_row *top_selected(struct top_model *model)
{
    return model->selected < model->shown_count ? &model->rows[model->shown[model->selected]]
                                                : NULL;
}

double top_total(const struct top_model *model)
{
    double total = 0;
    for (size_t i = 0; i < model->count; i++)
        total += model->rows[i].is_seen && model->rows[i].is_counted ? model->rows[i].rate : 0;
    return total;
}

void top_free(struct top_model *model)
{
    for (size_t i = 0; i < model->count; i++) {
        free(model->rows[i].label);
        free(model->rows[i].arguments);
    }
    free(model->rows);
    free(model->shown);
    *model = (struct top_model){0};
}

/* ---- Numbers for people. ---- */

/* Three digits that count, and no more places than that. */
static int places(double number)
{
    return number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
}

void top_format_rate(char *text, size_t size, double rate)
{
    static const char *const units[] = {"", " k", " M", " G"};
    size_t unit = 0;
    while (rate >= 999.5 && unit < 3) {
        rate /= 1000;
        unit++;
    }
    if (unit == 0 && rate == (double)(long)rate)
        snprintf(text, size, "%.0f", rate);
    else
        snprintf(text, size, "%.*f%s", places(rate), rate, units[unit]);
}

void top_format_time(char *text, size_t size, double ns, const char *micro)
{
    const char *const units[] = {"n", micro, "m", ""};
    size_t unit = 0;
    while (ns >= 999.5 && unit < 3) {
        ns /= 1000;
        unit++;
    }
    snprintf(text, size, "%.*f %ss", unit ? places(ns) : 0, ns, units[unit]);
}

int top_level(const struct top_row *row, unsigned ago, int levels)
{
    double highest = 0;
    if (ago >= row->count)
        return -1;
    for (unsigned i = 0; i < row->count; i++)
        highest = row->history[i] > highest ? row->history[i] : highest;
    double rate = row->history[(row->next + 2 * TOP_HISTORY - 1 - ago) % TOP_HISTORY];
    return highest > 0 ? (int)(rate / highest * (levels - 1) + 0.999) : 0;
}
